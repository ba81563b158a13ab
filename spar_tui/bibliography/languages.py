"""Languages by their names in BibLaTeX (`langid` in its manual, and others of babel), and as BCP 47 tags, which CSL,
Zotero and RIS use."""

import re

from connectors.records.medline import language_of

_NAMES = """
af:afrikaans am:amharic ar:arabic as:assamese ast:asturian be:belarusian bg:bulgarian bn:bengali br:breton
bs:bosnian ca:catalan cop:coptic cs:czech cy:welsh da:danish de:german de-AT:naustrian,austrian
de-CH:nswissgerman,swissgerman de-DE:ngerman dsb:lowersorbian,lsorbian dv:divehi el:greek
el-polyton:polutonikogreek en:english en-AU:australian en-CA:canadian en-GB:british,ukenglish en-NZ:newzealand
en-US:american,usenglish eo:esperanto es:spanish et:estonian eu:basque fa:persian,farsi fi:finnish fr:french,francais
fr-CA:canadien,acadian fur:friulan ga:irish gd:scottish gl:galician grc:ancientgreek gu:gujarati he:hebrew hi:hindi
hr:croatian hsb:uppersorbian,usorbian hu:hungarian,magyar hy:armenian ia:interlingua id:indonesian,bahasai
is:icelandic it:italian ja:japanese ka:georgian km:khmer kmr:kurmanji kn:kannada ko:korean la:latin lo:lao
lt:lithuanian lv:latvian mk:macedonian ml:malayalam mn:mongolian mr:marathi ms:malay,bahasam nb:norsk nko:nko
nl:dutch nn:nynorsk no:norwegian oc:occitan pa:punjabi pl:polish pms:piedmontese pt:portuguese,portuges
pt-BR:brazilian,brazil rm:romansh ro:romanian ru:russian sa:sanskrit se:samin sk:slovak sl:slovene,slovenian
sq:albanian sr-Cyrl:serbianc sr:serbian sv:swedish syr:syriac ta:tamil te:telugu th:thai tk:turkmen tr:turkish
uk:ukrainian ur:urdu vi:vietnamese zh:chinese
"""
"""The tag of each language and its names; the first name is the one to write."""
_LANGIDS = {tag: names.split(",") for tag, _, names in (pair.partition(":") for pair in _NAMES.split())}
_TAGS = {name: tag for tag, names in _LANGIDS.items() for name in names}
_TAG = re.compile(r"([A-Za-z]{2,3})((?:[-_][A-Za-z0-9]{2,8})*)")


def tag_of(language: str) -> str:
    """Return the BCP 47 tag of a language given by English name, BibLaTeX name or code; "" if unknown or several."""
    if tag := _TAGS.get(language.strip().lower()):
        return tag
    match = _TAG.fullmatch(language.strip())
    primary = language_of(match[1]) if match else None
    if not match or not primary or (len(primary) == 3 and primary not in _LANGIDS):
        return ""
    return "-".join((primary, *(part.upper() if len(part) == 2 else part for part in re.split("[-_]", match[2])[1:])))


def langid_of(tag: str) -> str:
    """Return the name of a BCP 47 tag's language in BibLaTeX and babel, ignoring an unknown region; "" for an unknown
    language."""
    names = _LANGIDS.get(tag) or _LANGIDS.get(tag.partition("-")[0])
    return names[0] if names else ""


def most_specific_tag(values: list[str]) -> str:
    """Return the most specific tag for the language of `values`: `german` and `ngerman` give `de-DE`. Values for other
    languages than the first are ignored."""
    tags = [tag for value in values if (tag := tag_of(value))]
    same = [tag for tag in tags if tag.partition("-")[0] == tags[0].partition("-")[0]]
    return max(same, key=len) if same else values[0]


_COUNTRIES = {
    "countryde": "Germany", "countryeu": "European Union", "countryep": "European Union", "countryfr": "France",
    "countryuk": "United Kingdom", "countryus": "United States of America",
}  # fmt: skip


def country_names(text: str) -> str:
    """Return a list of places with the countries that BibLaTeX's keys for the places of patents stand for."""
    return " and ".join(_COUNTRIES.get(key, key) for key in text.split(" and "))
