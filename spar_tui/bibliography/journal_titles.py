"""Titles of widely cited journals, used to expand their ISO 4 abbreviations."""

JOURNAL_TITLES = tuple(
    """
Accounts of Chemical Research|ACS Applied Materials & Interfaces|ACS Catalysis|ACS Nano|Acta Materialia
Acta Mathematica|Acta Numerica|Acta Physica Polonica|Advanced Drug Delivery Reviews|Advanced Functional Materials
Advances in Applied Mathematics|Advances in Mathematics|Advances in Physics|Algorithmica
American Economic Journal: Applied Economics|American Heart Journal|American Journal of Botany
American Journal of Cardiology|American Journal of Clinical Nutrition|American Journal of Epidemiology
American Journal of Human Genetics|American Journal of Mathematics|American Journal of Medicine
American Journal of Pathology|American Journal of Physics|American Journal of Physiology
American Journal of Political Science|American Journal of Psychiatry|American Journal of Public Health
American Journal of Respiratory and Critical Care Medicine|American Journal of Sociology|American Mathematical Monthly
American Naturalist|American Psychologist|American Statistician|Analytical Biochemistry|Analytical Chemistry
Angewandte Chemie|Angewandte Chemie International Edition|Annalen der Physik|Annals of Applied Statistics
Annals of Neurology|Annals of Physics|Annals of Probability|Annals of Statistics|Annals of Surgery
Annual Review of Biochemistry|Annual Review of Condensed Matter Physics|Annual Review of Fluid Mechanics
Annual Review of Genetics|Annual Review of Immunology|Annual Review of Neuroscience|Annual Review of Psychology
Annual Review of Sociology|Antimicrobial Agents and Chemotherapy|Applied and Environmental Microbiology|Applied Optics
Applied Physics Letters|Applied Soft Computing|Archive for Rational Mechanics and Analysis
Archives of Internal Medicine|Artificial Intelligence Review|Astronomical Journal|Astronomy & Astrophysics
Astrophysical Journal Letters|Atmospheric Chemistry and Physics|Atmospheric Environment|Automatica
Behavioral and Brain Sciences|Biochemical and Biophysical Research Communications|Biochemical Journal|Biochemistry
Biochimica et Biophysica Acta|Bioinformatics|Biological Conservation|Biological Psychiatry|Biological Reviews
Biometrika|Biophysical Journal|Bioresource Technology|BMC Bioinformatics|BMC Genomics|Brain Research
Briefings in Bioinformatics|British Journal of Cancer|British Journal of Psychiatry|British Journal of Surgery
Bulletin of the American Mathematical Society|Bulletin of the American Meteorological Society
Bulletin of the Seismological Society of America|Cancer Cell|Cancer Research|Carbohydrate Polymers|Cell Metabolism
Cell Reports|Chemical Communications|Chemical Engineering Journal|Chemical Engineering Science
Chemical Physics Letters|Chemical Science|Chemical Society Reviews|Chemistry of Materials
Classical and Quantum Gravity|Clinical Cancer Research|Clinical Infectious Diseases|Clinical Microbiology Reviews
Cognitive Psychology|Cognitive Science|Combustion and Flame|Communications in Mathematical Physics
Communications on Pure and Applied Mathematics|Composites Science and Technology|Comptes Rendus Mathématique
Computational Linguistics|Computational Materials Science|Computational Statistics & Data Analysis
Computer Graphics Forum|Computer Methods in Applied Mechanics and Engineering|Computer Physics Communications
Computers & Education|Computers & Operations Research|Computers in Human Behavior|Coordination Chemistry Reviews
Corrosion Science|Critical Care Medicine|Current Opinion in Neurobiology|Decision Support Systems
Developmental Psychology|Diabetes Care|Discrete Mathematics|Duke Mathematical Journal
Earth and Planetary Science Letters|Earth-Science Reviews|Ecological Applications|Ecological Modelling|Ecology Letters
Econometric Theory|Economic Journal|Electrochimica Acta|Electronics Letters|Energy & Environmental Science
Energy and Buildings|Energy Policy|Environmental Health Perspectives|Environmental Pollution
Environmental Science & Technology|European Heart Journal|European Journal of Operational Research
European Physical Journal C|Europhysics Letters|Expert Systems with Applications|FEBS Letters|Fluid Phase Equilibria
Free Radical Biology and Medicine|Future Generation Computer Systems|Fuzzy Sets and Systems
Games and Economic Behavior|Genes & Development|Genetics|Geochimica et Cosmochimica Acta
Geological Society of America Bulletin|Geology|Geophysical Journal International|Geophysical Research Letters
Global Change Biology|Global Environmental Change|Green Chemistry|Human Brain Mapping|Human Molecular Genetics
IEEE Access|IEEE Communications Magazine|IEEE Communications Surveys & Tutorials|IEEE Internet of Things Journal
IEEE Journal of Selected Topics in Signal Processing|IEEE Journal of Solid-State Circuits
IEEE Journal on Selected Areas in Communications|IEEE Network|IEEE Robotics and Automation Letters
IEEE Sensors Journal|IEEE Signal Processing Letters|IEEE Signal Processing Magazine
IEEE Transactions on Antennas and Propagation|IEEE Transactions on Automatic Control
IEEE Transactions on Biomedical Engineering|IEEE Transactions on Circuits and Systems for Video Technology
IEEE Transactions on Communications|IEEE Transactions on Computers|IEEE Transactions on Evolutionary Computation
IEEE Transactions on Fuzzy Systems|IEEE Transactions on Geoscience and Remote Sensing
IEEE Transactions on Image Processing|IEEE Transactions on Industrial Electronics
IEEE Transactions on Industrial Informatics|IEEE Transactions on Information Forensics and Security
IEEE Transactions on Information Theory|IEEE Transactions on Intelligent Transportation Systems
IEEE Transactions on Knowledge and Data Engineering|IEEE Transactions on Medical Imaging
IEEE Transactions on Microwave Theory and Techniques|IEEE Transactions on Multimedia
IEEE Transactions on Neural Networks and Learning Systems|IEEE Transactions on Nuclear Science
IEEE Transactions on Parallel and Distributed Systems|IEEE Transactions on Pattern Analysis and Machine Intelligence
IEEE Transactions on Power Electronics|IEEE Transactions on Power Systems|IEEE Transactions on Robotics
IEEE Transactions on Signal Processing|IEEE Transactions on Smart Grid|IEEE Transactions on Software Engineering
IEEE Transactions on Vehicular Technology|IEEE Transactions on Visualization and Computer Graphics
IEEE Transactions on Wireless Communications|IEEE/ACM Transactions on Networking
Industrial & Engineering Chemistry Research|Infection and Immunity|Information Fusion
Information Processing & Management|Information Sciences|Inorganic Chemistry
International Journal for Numerical Methods in Engineering|International Journal of Cancer
International Journal of Computer Vision|International Journal of Epidemiology|International Journal of Forecasting
International Journal of Heat and Mass Transfer|International Journal of Hydrogen Energy
International Journal of Molecular Sciences|International Journal of Production Economics
International Journal of Robotics Research|Inverse Problems|Journal of Agricultural and Food Chemistry
Journal of Algebra|Journal of Alloys and Compounds|Journal of Applied Ecology|Journal of Applied Econometrics
Journal of Applied Physics|Journal of Applied Physiology|Journal of Applied Psychology
Journal of Artificial Intelligence Research|Journal of Atmospheric Sciences|Journal of Bacteriology
Journal of Biogeography|Journal of Biological Chemistry|Journal of Biomechanics|Journal of Business Ethics
Journal of Catalysis|Journal of Cell Biology|Journal of Chemical Education|Journal of Chemical Theory and Computation
Journal of Chromatography A|Journal of Climate|Journal of Clinical Endocrinology & Metabolism
Journal of Clinical Epidemiology|Journal of Clinical Microbiology|Journal of Clinical Oncology
Journal of Cognitive Neuroscience|Journal of Colloid and Interface Science|Journal of Combinatorial Theory, Series A
Journal of Computational Chemistry|Journal of Computational Physics|Journal of Consumer Research
Journal of Controlled Release|Journal of Cosmology and Astroparticle Physics|Journal of Crystal Growth
Journal of Development Economics|Journal of Differential Equations|Journal of Ecology|Journal of Econometrics
Journal of Economic Literature|Journal of Economic Perspectives|Journal of Economic Theory
Journal of Educational Psychology|Journal of Experimental Biology|Journal of Experimental Botany
Journal of Experimental Medicine|Journal of Experimental Psychology: General|Journal of Finance
Journal of Financial Economics|Journal of Fluid Mechanics|Journal of Functional Analysis|Journal of General Physiology
Journal of Geophysical Research|Journal of Hazardous Materials|Journal of Health Economics
Journal of High Energy Physics|Journal of Hydrology|Journal of Immunology|Journal of Infectious Diseases
Journal of International Economics|Journal of Machine Learning Research|Journal of Marketing
Journal of Marketing Research|Journal of Materials Chemistry A|Journal of Mathematical Physics
Journal of Medicinal Chemistry|Journal of Membrane Science|Journal of Memory and Language|Journal of Molecular Biology
Journal of Monetary Economics|Journal of Nanoparticle Research|Journal of Neurophysiology|Journal of Neuroscience
Journal of Nutrition|Journal of Optimization Theory and Applications|Journal of Organic Chemistry
Journal of Personality and Social Psychology|Journal of Physical Chemistry A|Journal of Physical Chemistry B
Journal of Physical Chemistry C|Journal of Physical Chemistry Letters|Journal of Physics: Condensed Matter
Journal of Physiology|Journal of Political Economy|Journal of Power Sources|Journal of Public Economics
Journal of Sound and Vibration|Journal of Statistical Mechanics: Theory and Experiment|Journal of Statistical Physics
Journal of Statistical Software|Journal of the ACM|Journal of the Acoustical Society of America
Journal of the American Ceramic Society|Journal of the American Chemical Society
Journal of the American College of Cardiology|Journal of the American Mathematical Society
Journal of the American Medical Informatics Association|Journal of the American Statistical Association
Journal of the Association for Information Science and Technology|Journal of the Atmospheric Sciences
Journal of the Electrochemical Society|Journal of the Mechanics and Physics of Solids
Journal of the National Cancer Institute|Journal of the Optical Society of America
Journal of the Royal Society Interface|Journal of the Royal Statistical Society: Series B
Journal of Theoretical Biology|Journal of Turbulence|Journal of Vacuum Science & Technology|Journal of Virology
Kidney International|Knowledge-Based Systems|Lab on a Chip|Langmuir|Limnology and Oceanography|Macromolecules
Management Science|Marine Ecology Progress Series|Marketing Science|Materials Science and Engineering: A
Materials Today|Mathematical Programming|Mathematics of Computation|Mathematische Annalen|Mathematische Zeitschrift
Medical Image Analysis|Medicine & Science in Sports & Exercise|Methods in Enzymology
Microbiology and Molecular Biology Reviews|Molecular and Cellular Biology|Molecular Biology and Evolution
Molecular Cell|Molecular Ecology|Molecular Physics|Monthly Notices of the Royal Astronomical Society
Monthly Weather Review|Multimedia Tools and Applications|Nano Letters|Nanoscale|Nature Catalysis|Nature Cell Biology
Nature Chemical Biology|Nature Chemistry|Nature Geoscience|Nature Human Behaviour|Nature Immunology
Nature Nanotechnology|Nature Photonics|Nature Protocols|Nature Reviews Cancer|Nature Reviews Drug Discovery
Nature Reviews Genetics|Nature Reviews Immunology|Nature Reviews Molecular Cell Biology|Nature Reviews Neuroscience
Neural Computation|Neural Networks|Neurocomputing|NeuroImage|Neurology|Neuropsychologia|New Journal of Physics
New Phytologist|Nonlinear Dynamics|Nuclear Fusion|Nuclear Instruments and Methods in Physics Research Section A
Nuclear Physics A|Nuclear Physics B|Numerische Mathematik|Obstetrics & Gynecology|Ocean Engineering|Oecologia
Operations Research|Optics Communications|Optics Express|Optics Letters|Organic Letters|Organization Science
Parallel Computing|Pattern Recognition|Pattern Recognition Letters|Pediatrics|Philosophical Magazine
Philosophical Transactions of the Royal Society A|Philosophical Transactions of the Royal Society B
Physica A: Statistical Mechanics and its Applications|Physica D: Nonlinear Phenomena|Physica Scripta
Physical Chemistry Chemical Physics|Physical Review|Physical Review A|Physical Review Applied|Physical Review C
Physical Review E|Physical Review Research|Physics in Medicine and Biology|Physics Letters A|Physics Letters B
Physics of Fluids|Physics of Plasmas|Physics Reports|Physics Today|Physiological Reviews|Planetary and Space Science
Plant Cell|Plant Physiology|Plasma Physics and Controlled Fusion|PLOS Computational Biology|PLOS Genetics
PLOS Neglected Tropical Diseases|PLOS Pathogens|Polymer|Proceedings of the American Mathematical Society
Proceedings of the IEEE|Proceedings of the London Mathematical Society
Proceedings of the National Academy of Sciences of the United States of America|Proceedings of the Royal Society A
Proceedings of the Royal Society B|Proceedings of the VLDB Endowment|Progress in Energy and Combustion Science
Progress in Materials Science|Progress of Theoretical Physics|Protein Science|Psychological Medicine
Psychological Methods|Psychometrika|Publications of the Astronomical Society of the Pacific
Quarterly Journal of the Royal Meteorological Society|Quaternary Science Reviews|Radiology
Remote Sensing of Environment|Renewable and Sustainable Energy Reviews|Renewable Energy|Reports on Progress in Physics
Research Policy|Review of Economic Studies|Review of Economics and Statistics|Review of Financial Studies
Review of Scientific Instruments|RNA|RSC Advances|Science of the Total Environment|Scripta Materialia
Sensors and Actuators B: Chemical|SIAM Journal on Applied Mathematics|SIAM Journal on Computing
SIAM Journal on Control and Optimization|SIAM Journal on Imaging Sciences
SIAM Journal on Matrix Analysis and Applications|SIAM Journal on Numerical Analysis|SIAM Journal on Optimization
SIAM Journal on Scientific Computing|SIAM Review|Small|Social Networks|Social Science & Medicine|Soft Matter
Software: Practice and Experience|Soil Biology and Biochemistry|Solar Energy|Solar Physics|Space Science Reviews
Spectrochimica Acta Part A|Statistical Science|Statistics in Medicine|Stochastic Processes and their Applications
Strategic Management Journal|Stroke|Surface Science|Synthetic Metals|Technological Forecasting and Social Change
Tectonophysics|Tetrahedron Letters|Theoretical Computer Science|Thin Solid Films
Transactions of the American Mathematical Society|Transportation Research Part B: Methodological
Trends in Biochemical Sciences|Trends in Cognitive Sciences|Trends in Ecology & Evolution|Trends in Genetics
Trends in Neurosciences|Ultramicroscopy|Vision Research|Water Resources Research|World Development
World Journal of Gastroenterology|World Wide Web|Zeitschrift für Kristallographie|Zeitschrift für Naturforschung A
Zeitschrift für Physik
""".strip()
    .replace("\n", "|")
    .split("|")
)
