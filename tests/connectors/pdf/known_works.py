# ruff: noqa: E501  # a work is a line, as in any table
"""Bibliographic facts of well-known works, from which bibliographies are set in many styles.

A line: authors (`Family, Given` parted by `;`, a group in braces) | title | venue | year | DOI | arXiv id.
A venue is `Journal, volume(issue), pages`, `@Proceedings, pages`, `Publisher` after `=`, or empty for a preprint.
"""

from typing import NamedTuple

_BUILT_ON = """
LeCun, Yann; Bengio, Yoshua; Hinton, Geoffrey | Deep learning | Nature, 521(7553), 436-444 | 2015 | 10.1038/nature14539 |
Hochreiter, Sepp; Schmidhuber, Jürgen | Long short-term memory | Neural Computation, 9(8), 1735-1780 | 1997 | 10.1162/neco.1997.9.8.1735 |
Vaswani, Ashish; Shazeer, Noam; Parmar, Niki; Uszkoreit, Jakob; Jones, Llion; Gomez, Aidan N.; Kaiser, Łukasz; Polosukhin, Illia | Attention is all you need | @Advances in Neural Information Processing Systems 30, 5998-6008 | 2017 | |
Devlin, Jacob; Chang, Ming-Wei; Lee, Kenton; Toutanova, Kristina | BERT: Pre-training of deep bidirectional transformers for language understanding | @Proceedings of NAACL-HLT 2019, 4171-4186 | 2019 | 10.18653/v1/N19-1423 |
Kingma, Diederik P.; Ba, Jimmy | Adam: A method for stochastic optimization | | 2014 | | 1412.6980
Karpukhin, Vladimir; Oguz, Barlas; Min, Sewon; Lewis, Patrick; Wu, Ledell; Edunov, Sergey; Chen, Danqi; Yih, Wen-tau | Dense passage retrieval for open-domain question answering | @Proceedings of EMNLP 2020, 6769-6781 | 2020 | 10.18653/v1/2020.emnlp-main.550 |
Chen, Tianqi; Guestrin, Carlos | XGBoost: A scalable tree boosting system | @Proceedings of the 22nd ACM SIGKDD International Conference on Knowledge Discovery and Data Mining, 785-794 | 2016 | 10.1145/2939672.2939785 |
Benjamini, Yoav; Hochberg, Yosef | Controlling the false discovery rate: a practical and powerful approach to multiple testing | Journal of the Royal Statistical Society: Series B, 57(1), 289-300 | 1995 | 10.1111/j.2517-6161.1995.tb02031.x |
Altschul, Stephen F.; Gish, Warren; Miller, Webb; Myers, Eugene W.; Lipman, David J. | Basic local alignment search tool | Journal of Molecular Biology, 215(3), 403-410 | 1990 | 10.1016/S0022-2836(05)80360-2 |
Jumper, John; Evans, Richard; Pritzel, Alexander; Green, Tim; Figurnov, Michael; Ronneberger, Olaf | Highly accurate protein structure prediction with AlphaFold | Nature, 596, 583-589 | 2021 | 10.1038/s41586-021-03819-2 |
Robertson, Stephen; Zaragoza, Hugo | The probabilistic relevance framework: BM25 and beyond | Foundations and Trends in Information Retrieval, 3(4), 333-389 | 2009 | 10.1561/1500000019 |
Chawla, Nitesh V.; Bowyer, Kevin W.; Hall, Lawrence O.; Kegelmeyer, W. Philip | SMOTE: Synthetic minority over-sampling technique | Journal of Artificial Intelligence Research, 16, 321-357 | 2002 | 10.1613/jair.953 |
Deng, Jia; Dong, Wei; Socher, Richard; Li, Li-Jia; Li, Kai; Fei-Fei, Li | ImageNet: A large-scale hierarchical image database | @2009 IEEE Conference on Computer Vision and Pattern Recognition, 248-255 | 2009 | 10.1109/CVPR.2009.5206848 |
Mikolov, Tomas; Chen, Kai; Corrado, Greg; Dean, Jeffrey | Efficient estimation of word representations in vector space | | 2013 | | 1301.3781
Blei, David M.; Ng, Andrew Y.; Jordan, Michael I. | Latent Dirichlet allocation | Journal of Machine Learning Research, 3, 993-1022 | 2003 | |
Silver, David; Huang, Aja; Maddison, Chris J.; Guez, Arthur; Sifre, Laurent; van den Driessche, George | Mastering the game of Go with deep neural networks and tree search | Nature, 529(7587), 484-489 | 2016 | 10.1038/nature16961 |
Love, Michael I.; Huber, Wolfgang; Anders, Simon | Moderated estimation of fold change and dispersion for RNA-seq data with DESeq2 | Genome Biology, 15, 550 | 2014 | 10.1186/s13059-014-0550-8 |
Langmead, Ben; Salzberg, Steven L. | Fast gapped-read alignment with Bowtie 2 | Nature Methods, 9(4), 357-359 | 2012 | 10.1038/nmeth.1923 |
Shannon, Claude E. | A mathematical theory of communication | Bell System Technical Journal, 27(3), 379-423 | 1948 | 10.1002/j.1538-7305.1948.tb01338.x |
Metropolis, Nicholas; Rosenbluth, Arianna W.; Rosenbluth, Marshall N.; Teller, Augusta H.; Teller, Edward | Equation of state calculations by fast computing machines | The Journal of Chemical Physics, 21(6), 1087-1092 | 1953 | 10.1063/1.1699114 |
Watts, Duncan J.; Strogatz, Steven H. | Collective dynamics of small-world networks | Nature, 393, 440-442 | 1998 | 10.1038/30918 |
Maldacena, Juan | The large N limit of superconformal field theories and supergravity | | 1997 | | hep-th/9711200
Kahneman, Daniel; Tversky, Amos | Prospect theory: An analysis of decision under risk | Econometrica, 47(2), 263-292 | 1979 | 10.2307/1914185 |
Hastie, Trevor; Tibshirani, Robert; Friedman, Jerome | The elements of statistical learning: Data mining, inference, and prediction | =Springer | 2009 | |
Manning, Christopher D.; Raghavan, Prabhakar; Schütze, Hinrich | Introduction to information retrieval | =Cambridge University Press | 2008 | |
Touvron, Hugo; Lavril, Thibaut; Izacard, Gautier; Martinet, Xavier; Lachaux, Marie-Anne | LLaMA: Open and efficient foundation language models | | 2023 | | 2302.13971
Wei, Jason; Wang, Xuezhi; Schuurmans, Dale; Bosma, Maarten | Chain-of-thought prompting elicits reasoning in large language models | | 2022 | | 2201.11903
Khattab, Omar; Zaharia, Matei | ColBERT: Efficient and effective passage search via contextualized late interaction over BERT | @Proceedings of the 43rd International ACM SIGIR Conference on Research and Development in Information Retrieval, 39-48 | 2020 | 10.1145/3397271.3401075 |
Lo, Kyle; Wang, Lucy Lu; Neumann, Mark; Kinney, Rodney; Weld, Daniel | S2ORC: The semantic scholar open research corpus | @Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics, 4969-4983 | 2020 | 10.18653/v1/2020.acl-main.447 |
Jiang, Zhengbao; Xu, Frank F.; Araki, Jun; Neubig, Graham | How can we know what language models know? | Transactions of the Association for Computational Linguistics, 8, 423-438 | 2020 | 10.1162/tacl_a_00324 |
{World Health Organization} | World malaria report 2021 | =World Health Organization | 2021 | |
{OpenAI} | GPT-4 technical report | | 2023 | | 2303.08774
Takahashi, Kazutoshi; Yamanaka, Shinya | Induction of pluripotent stem cells from mouse embryonic and adult fibroblast cultures by defined factors | Cell, 126(4), 663-676 | 2006 | 10.1016/j.cell.2006.07.024 |
Braun, Virginia; Clarke, Victoria | Using thematic analysis in psychology | Qualitative Research in Psychology, 3(2), 77-101 | 2006 | 10.1191/1478088706qp063oa |
van der Maaten, Laurens; Hinton, Geoffrey | Visualizing data using t-SNE | Journal of Machine Learning Research, 9, 2579-2605 | 2008 | |
Rabiner, Lawrence R. | A tutorial on hidden Markov models and selected applications in speech recognition | Proceedings of the IEEE, 77(2), 257-286 | 1989 | 10.1109/5.18626 |
Bates, Douglas; Mächler, Martin; Bolker, Ben; Walker, Steve | Fitting linear mixed-effects models using lme4 | Journal of Statistical Software, 67(1), 1-48 | 2015 | 10.18637/jss.v067.i01 |
Abbott, B. P.; Abbott, R.; Abbott, T. D.; Abernathy, M. R. | Observation of gravitational waves from a binary black hole merger | Physical Review Letters, 116(6), 061102 | 2016 | 10.1103/PhysRevLett.116.061102 |
"""

_HELD_OUT = """
Breiman, Leo | Random forests | Machine Learning, 45(1), 5-32 | 2001 | 10.1023/A:1010933404324 |
He, Kaiming; Zhang, Xiangyu; Ren, Shaoqing; Sun, Jian | Deep residual learning for image recognition | @Proceedings of the IEEE Conference on Computer Vision and Pattern Recognition, 770-778 | 2016 | 10.1109/CVPR.2016.90 |
Brown, Tom B.; Mann, Benjamin; Ryder, Nick; Subbiah, Melanie; Kaplan, Jared | Language models are few-shot learners | @Advances in Neural Information Processing Systems 33, 1877-1901 | 2020 | |
Lewis, Patrick; Perez, Ethan; Piktus, Aleksandra; Petroni, Fabio; Karpukhin, Vladimir | Retrieval-augmented generation for knowledge-intensive NLP tasks | | 2020 | | 2005.11401
Moher, David; Liberati, Alessandro; Tetzlaff, Jennifer; Altman, Douglas G. | Preferred reporting items for systematic reviews and meta-analyses: the PRISMA statement | PLoS Medicine, 6(7), e1000097 | 2009 | 10.1371/journal.pmed.1000097 |
Virtanen, Pauli; Gommers, Ralf; Oliphant, Travis E.; Haberland, Matt; Reddy, Tyler | SciPy 1.0: fundamental algorithms for scientific computing in Python | Nature Methods, 17, 261-272 | 2020 | 10.1038/s41592-019-0686-2 |
Harris, Charles R.; Millman, K. Jarrod; van der Walt, Stéfan J.; Gommers, Ralf | Array programming with NumPy | Nature, 585(7825), 357-362 | 2020 | 10.1038/s41586-020-2649-2 |
Brin, Sergey; Page, Lawrence | The anatomy of a large-scale hypertextual Web search engine | Computer Networks and ISDN Systems, 30(1-7), 107-117 | 1998 | 10.1016/S0169-7552(98)00110-X |
Srivastava, Nitish; Hinton, Geoffrey; Krizhevsky, Alex; Sutskever, Ilya; Salakhutdinov, Ruslan | Dropout: A simple way to prevent neural networks from overfitting | Journal of Machine Learning Research, 15, 1929-1958 | 2014 | |
Krizhevsky, Alex; Sutskever, Ilya; Hinton, Geoffrey E. | ImageNet classification with deep convolutional neural networks | @Advances in Neural Information Processing Systems 25, 1097-1105 | 2012 | |
Pennington, Jeffrey; Socher, Richard; Manning, Christopher | GloVe: Global vectors for word representation | @Proceedings of the 2014 Conference on Empirical Methods in Natural Language Processing, 1532-1543 | 2014 | 10.3115/v1/D14-1162 |
Bahdanau, Dzmitry; Cho, Kyunghyun; Bengio, Yoshua | Neural machine translation by jointly learning to align and translate | | 2014 | | 1409.0473
Goodfellow, Ian J.; Pouget-Abadie, Jean; Mirza, Mehdi; Xu, Bing; Warde-Farley, David | Generative adversarial networks | | 2014 | | 1406.2661
Mnih, Volodymyr; Kavukcuoglu, Koray; Silver, David; Rusu, Andrei A.; Veness, Joel | Human-level control through deep reinforcement learning | Nature, 518, 529-533 | 2015 | 10.1038/nature14236 |
Ritchie, Matthew E.; Phipson, Belinda; Wu, Di; Hu, Yifang | limma powers differential expression analyses for RNA-sequencing and microarray studies | Nucleic Acids Research, 43(7), e47 | 2015 | 10.1093/nar/gkv007 |
Ashburner, Michael; Ball, Catherine A.; Blake, Judith A.; Botstein, David | Gene Ontology: tool for the unification of biology | Nature Genetics, 25(1), 25-29 | 2000 | 10.1038/75556 |
Li, Heng; Handsaker, Bob; Wysoker, Alec; Fennell, Tim | The Sequence Alignment/Map format and SAMtools | Bioinformatics, 25(16), 2078-2079 | 2009 | 10.1093/bioinformatics/btp352 |
Einstein, Albert; Podolsky, Boris; Rosen, Nathan | Can quantum-mechanical description of physical reality be considered complete? | Physical Review, 47(10), 777-780 | 1935 | 10.1103/PhysRev.47.777 |
Turing, Alan M. | Computing machinery and intelligence | Mind, 59(236), 433-460 | 1950 | 10.1093/mind/LIX.236.433 |
Kirkpatrick, Scott; Gelatt, C. Daniel; Vecchi, Mario P. | Optimization by simulated annealing | Science, 220(4598), 671-680 | 1983 | 10.1126/science.220.4598.671 |
Barabási, Albert-László; Albert, Réka | Emergence of scaling in random networks | Science, 286(5439), 509-512 | 1999 | 10.1126/science.286.5439.509 |
Witten, Edward | Anti de Sitter space and holography | | 1998 | | hep-th/9802150
Sutton, Richard S.; Barto, Andrew G. | Reinforcement learning: An introduction | =MIT Press | 2018 | |
Bishop, Christopher M. | Pattern recognition and machine learning | =Springer | 2006 | |
Ouyang, Long; Wu, Jeff; Jiang, Xu; Almeida, Diogo; Wainwright, Carroll L. | Training language models to follow instructions with human feedback | | 2022 | | 2203.02155
Dosovitskiy, Alexey; Beyer, Lucas; Kolesnikov, Alexander; Weissenborn, Dirk | An image is worth 16x16 words: Transformers for image recognition at scale | | 2020 | | 2010.11929
Cohan, Arman; Feldman, Sergey; Beltagy, Iz; Downey, Doug; Weld, Daniel | SPECTER: Document-level representation learning using citation-informed transformers | @Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics, 2270-2282 | 2020 | 10.18653/v1/2020.acl-main.207 |
Beltagy, Iz; Lo, Kyle; Cohan, Arman | SciBERT: A pretrained language model for scientific text | @Proceedings of EMNLP-IJCNLP 2019, 3615-3620 | 2019 | 10.18653/v1/D19-1371 |
Rajpurkar, Pranav; Zhang, Jian; Lopyrev, Konstantin; Liang, Percy | SQuAD: 100,000+ questions for machine comprehension of text | @Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing, 2383-2392 | 2016 | 10.18653/v1/D16-1264 |
Clark, Kevin; Khandelwal, Urvashi; Levy, Omer; Manning, Christopher D. | What does BERT look at? An analysis of BERT's attention | @Proceedings of the 2019 ACL Workshop BlackboxNLP, 276-286 | 2019 | 10.18653/v1/W19-4828 |
Johnson, Jeff; Douze, Matthijs; Jégou, Hervé | Billion-scale similarity search with GPUs | IEEE Transactions on Big Data, 7(3), 535-547 | 2021 | 10.1109/TBDATA.2019.2921572 |
Bender, Emily M.; Gebru, Timnit; McMillan-Major, Angelina; Shmitchell, Shmargaret | On the dangers of stochastic parrots: Can language models be too big? | @Proceedings of the 2021 ACM Conference on Fairness, Accountability, and Transparency, 610-623 | 2021 | 10.1145/3442188.3445922 |
{American Psychiatric Association} | Diagnostic and statistical manual of mental disorders | =American Psychiatric Publishing | 2013 | |
{R Core Team} | R: A language and environment for statistical computing | =R Foundation for Statistical Computing | 2022 | |
Jinek, Martin; Chylinski, Krzysztof; Fonfara, Ines; Hauer, Michael; Doudna, Jennifer A.; Charpentier, Emmanuelle | A programmable dual-RNA-guided DNA endonuclease in adaptive bacterial immunity | Science, 337(6096), 816-821 | 2012 | 10.1126/science.1225829 |
Polack, Fernando P.; Thomas, Stephen J.; Kitchin, Nicholas; Absalon, Judith | Safety and efficacy of the BNT162b2 mRNA Covid-19 vaccine | New England Journal of Medicine, 383(27), 2603-2615 | 2020 | 10.1056/NEJMoa2034577 |
Hanahan, Douglas; Weinberg, Robert A. | Hallmarks of cancer: the next generation | Cell, 144(5), 646-674 | 2011 | 10.1016/j.cell.2011.02.013 |
Cortes, Corinna; Vapnik, Vladimir | Support-vector networks | Machine Learning, 20(3), 273-297 | 1995 | 10.1007/BF00994018 |
Akaike, Hirotugu | A new look at the statistical model identification | IEEE Transactions on Automatic Control, 19(6), 716-723 | 1974 | 10.1109/TAC.1974.1100705 |
"""


class Name(NamedTuple):
    """A person, or a group without a given name."""

    family: str
    given: str


class Known(NamedTuple):
    """A work as it is."""

    authors: tuple[Name, ...]
    title: str
    kind: str
    venue: str
    volume: str
    issue: str
    pages: str
    year: int
    doi: str
    arxiv: str


def _read(table: str) -> tuple[Known, ...]:
    return tuple(_work(*(cell.strip() for cell in line.split("|"))) for line in table.strip().splitlines())


def _work(authors: str, title: str, venue: str, year: str, doi: str, arxiv: str) -> Known:
    people = tuple(_name(author.strip()) for author in authors.split(";"))
    kind = {"@": "proceedings", "=": "book", "": "preprint"}.get(venue[:1], "journal")
    parts = venue.lstrip("@=").split(", ")
    volume = issue = pages = ""
    if kind == "journal":
        name, number, pages = ", ".join(parts[:-2]), parts[-2], parts[-1]
        volume, _, issue = number.rstrip(")").partition("(")
    elif kind == "proceedings":
        name, pages = ", ".join(parts[:-1]), parts[-1]
    else:
        name = ", ".join(parts)
    return Known(people, title, kind, name, volume, issue, pages.replace("-", "–"), int(year), doi, arxiv)


def _name(text: str) -> Name:
    if text.startswith("{"):
        return Name(text.strip("{}"), "")
    family, _, given = text.partition(", ")
    return Name(family, given)


BUILT_ON = _read(_BUILT_ON)
"""The works that were at hand while the reading was built."""
HELD_OUT = _read(_HELD_OUT)
"""Works of other titles, names and oddities, that only measure it."""
