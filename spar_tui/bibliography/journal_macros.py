r"""The journal macros of astronomers' bibliographies, as defined by AASTeX and written by ADS."""

import re

_LONE_MACRO = re.compile(r"\\([a-z]+)\{\}")

_TABLE = """
aap:Astronomy & Astrophysics|aapr:Astronomy & Astrophysics Reviews|aaps:Astronomy & Astrophysics Supplement Series
actaa:Acta Astronomica|aj:The Astronomical Journal|ao:Applied Optics|apj:The Astrophysical Journal
apjl:The Astrophysical Journal Letters|apjlett:The Astrophysical Journal Letters
apjs:The Astrophysical Journal Supplement Series|apjsupp:The Astrophysical Journal Supplement Series
aplett:Astrophysical Letters|applopt:Applied Optics|apspr:Astrophysics Space Physics Research
apss:Astrophysics and Space Science|araa:Annual Review of Astronomy and Astrophysics|azh:Astronomicheskii Zhurnal
baas:Bulletin of the American Astronomical Society|bac:Bulletin of the Astronomical Institutes of Czechoslovakia
bain:Bulletin of the Astronomical Institutes of the Netherlands|caa:Chinese Astronomy and Astrophysics
cjaa:Chinese Journal of Astronomy and Astrophysics|fcp:Fundamentals of Cosmic Physics
gca:Geochimica et Cosmochimica Acta|grl:Geophysical Research Letters|iaucirc:IAU Circulars|icarus:Icarus
jaavso:The Journal of the American Association of Variable Star Observers
jcap:Journal of Cosmology and Astroparticle Physics|jcp:The Journal of Chemical Physics
jgr:Journal of Geophysical Research|jqsrt:Journal of Quantitative Spectroscopy and Radiative Transfer
jrasc:Journal of the Royal Astronomical Society of Canada|maps:Meteoritics & Planetary Science
memras:Memoirs of the Royal Astronomical Society|memsai:Memorie della Società Astronomica Italiana
mnras:Monthly Notices of the Royal Astronomical Society|na:New Astronomy|nar:New Astronomy Reviews|nat:Nature
nphysa:Nuclear Physics A|pasa:Publications of the Astronomical Society of Australia
pasj:Publications of the Astronomical Society of Japan|pasp:Publications of the Astronomical Society of the Pacific
physrep:Physics Reports|physscr:Physica Scripta|planss:Planetary and Space Science|pra:Physical Review A
prb:Physical Review B|prc:Physical Review C|prd:Physical Review D|pre:Physical Review E|prl:Physical Review Letters
procspie:Proceedings of the SPIE|psj:The Planetary Science Journal
qjras:Quarterly Journal of the Royal Astronomical Society|rmxaa:Revista Mexicana de Astronomía y Astrofísica
rnaas:Research Notes of the AAS|skytel:Sky and Telescope|solphys:Solar Physics|sovast:Soviet Astronomy
ssr:Space Science Reviews|zap:Zeitschrift für Astrophysik
"""
MACROS = dict(pair.split(":") for pair in _TABLE.strip().replace("\n", "|").split("|"))


def journal_of(text: str) -> str:
    r"""Return the journal for a macro such as `\apj{}`; `text` itself if it is no macro."""
    match = _LONE_MACRO.fullmatch(text)
    return MACROS.get(match[1], text) if match else text
