"""The words of each field of study: terms one expects there and hardly anywhere else; phrases in quotes count double.

A term after ~ is a hint that others use too and counts half; one listed under two fields counts half for each. Matching
is by stem, so one form of a word stands for all.
"""

import re

_LISTS = {
    "computer science: machine learning": """
    ~learning ~training ~model ~models ~dataset ~datasets ~inference ~generalization ~prediction ~predicting
    ~optimization ~adaptation ~supervision ~features ~neural ~networks ~classification ~data ~sampling
    "model accuracy" "out of distribution" "low rank" "lottery ticket" "batch normalization" "state space models"
    "long tailed" "class imbalance" "label noise" "noisy labels" "concept drift" "catastrophic forgetting"
    "world model" "world models" "reward model" "score based" "black box" "conformal prediction"
    "uncertainty quantification" "deep neural" "deep networks" "feature selection" "variational inference"
    "normalizing flow" "normalizing flows" "neural operators" "policy gradient" "value function"
    "inverse reinforcement" "train test" gradient gradients adversarial robustness representations representation
    learned learnable generative contrastive distillation lora coreset surrogate counterfactual latent variational
    agentic pruning sparsity probing unimodal deepfakes memorization meta-learning multi-task multitask federated
    augmentation regularizer discriminator annotators annotation mixup ood moe mamba "machine learning"
    "deep learning" "neural network" "neural networks" "reinforcement learning" "transfer learning"
    "federated learning" "meta learning" "contrastive learning" "representation learning" "active learning"
    "continual learning" "few shot" "zero shot" "semi supervised" "self supervised" "weakly supervised" unsupervised
    "gradient descent" "gradient compression" "knowledge distillation" "graph neural" "generative model"
    "generative models" "generative adversarial" "diffusion model" "diffusion models" "multi armed" "latent space"
    "domain adaptation" "loss function" "adversarial examples" "adversarial attack" "adversarial training"
    "domain generalization" "decision tree" "random forest" "support vector" "hyperparameter" "architecture search"
    "attention mechanism" "mixture of experts" "model pruning" "foundation model" "foundation models" "training data"
    "gaussian process" "bayesian optimization" "time series forecasting" backpropagation overfitting classifier
    classifiers regularization gan gans gnn gnns cnn cnns rnn lstm lstms autoencoder transformer transformers
    embedding embeddings dropout finetuning fine-tuning pretraining pre-training pretrained pre-trained quantization
    sgd bandit bandits softmax relu ntk svm policy-gradient imitation explainable interpretability perceptron resnet
    boosting clustering unlearning off-policy convolutional recurrent
    """,
    "computer science: natural language processing": """
    ~text ~reasoning ~language ~linguistic ~words ~sentences ~questions ~conversation ~dialogue "response length"
    "instruction following" "code models" "semantic similarity" "word meanings" "language understanding"
    "language generation" "few shot prompting" "logical reasoning" "speech synthesis" "in context" cot bleu rouge
    jailbreaks vlm vlms conversational utterance utterances lexical unigram translation subword textual ngram n-gram
    sentence corpora corpus "natural language" "language model" "language models" "large language"
    "question answering" "machine translation" "named entity" "entity recognition" "relation extraction"
    "sentiment analysis" "text classification" "text generation" "word embedding" "word embeddings"
    "chain of thought" "in context learning" "dialogue system" "dialogue systems" "dialog system"
    "retrieval augmented" "text summarization" "reading comprehension" "hate speech" "knowledge editing"
    "instruction tuning" "prompt engineering" "low resource languages" "speech recognition" "text to speech"
    "coreference resolution" "semantic parsing" "dependency parsing" "part of speech" "information extraction"
    "knowledge graph" "knowledge graphs" nlp nlg nli nlu llm llms gpt gpt-2 gpt-3 gpt-4 chatgpt bert roberta llama
    summarization tokenization tokenizer tokenizers multilingual paraphrase prompting prompt prompts hallucination
    hallucinations rlhf dpo rag chatbot chatbots coreference plms lms stance sarcasm rumor summarizer
    """,
    "computer science: computer vision": """
    ~scene ~view ~views ~vision ~texture ~stereo ~motion "image recognition" "face verification" "u net"
    "feature tracks" "multi view" "image quality" "scene understanding" "medical image" inpainted mvs handwriting
    handwritten "computer vision" "object detection" "image classification" "image segmentation"
    "semantic segmentation" "pose estimation" "point cloud" "point clouds" "optical flow" "image generation"
    "text to image" "image " "super resolution" "face recognition" "visual question" "video understanding"
    "scene reconstruction" "neural radiance" "gaussian splatting" "depth estimation" "action recognition"
    "vision language" "image captioning" "image retrieval" "feature matching" "image restoration" "visual tracking"
    "image editing" "pixel level" "style transfer" "view " "instance segmentation" "3d reconstruction"
    "autonomous driving" "video generation" nerf nerfs imagenet pixel pixels vit vits clip sfm slam stereo rgb image
    images video videos camera segmentation visual inpainting denoising captioning multimodal 3d deepfake deepfakes
    """,
    "computer science: information retrieval": """
    "information retrieval" "recommender system" "recommender systems" "recommendation system"
    "recommendation systems" "search engine" "search engines" "query expansion" "dense retrieval"
    "collaborative filtering" "passage retrieval" "document retrieval" "learning to rank" "click through"
    "web search" "query rewriting" "academic search" "test collection" "cold start" bm25 reranking re-ranking
    retriever recommender tf-idf pagerank crawler hashtag hashtags tweets
    """,
    "computer science: systems and software": """
    ~code ~software ~computing ~implementation ~languages ~processors ~files ~execution ~networks ~parallel
    "information systems" "information system" "resource addressing" "expert systems" "knowledge based systems"
    "extensible languages" "communicating processes" "data mining" "program repair" "data management"
    "text processing" "interactive systems" "computer performance" "graph drawing" programs processor processors
    scheduling fault-tolerant optimizer benchmarks hypervisor virtualization recursion subroutine datacenter routing
    "operating system" "operating systems" "distributed systems" "distributed system" "distributed computing"
    "parallel computing" "parallel algorithms" "software engineering" "software testing" "programming language"
    "programming languages" "database management" "cloud computing" "edge computing" "virtual machine"
    "data structure" "data structures" "source code" "code generation" "code review" "query optimization"
    "type system" "garbage collection" "message passing" "time sharing" "file system" "computer networks"
    "context free" "memory management" "shared memory" "file handling" "formal verification" "model checking"
    "program " "static analysis" "fault tolerance" "open source" "consensus protocol" "memory bandwidth"
    "high performance computing" "internet of things" "wireless sensor" "abstract data types" compiler compilers
    microcode microcoded database databases sql software programming programmer programmers fortran algol cobol
    scheduler concurrency multiprocessor kernel-bypass middleware bugs debugging refactoring devops microservices gpu
    gpus fpga cpu cache caching parser parsing throughput latency blockchain paging multiprogramming computer
    computers algorithm algorithms hashing rust cryptocurrency serverless kubernetes unix
    """,
    "computer science: security and privacy": """
    "differential privacy" "intrusion detection" "side channel" "access control" "public key" "malware detection"
    "computer security" "backdoor attack" "backdoor attacks" "membership inference" "homomorphic encryption"
    "zero knowledge" "data privacy" "post quantum" cryptography cryptographic encryption malware ransomware
    cybersecurity phishing authentication botnet vulnerabilities privacy-preserving watermarking fuzzing jailbreak
    jailbreaking password passwords
    """,
    "computer science: theory": """
    "regret bounds" "lower bounds" "min max" "first order methods" approximability "computational complexity"
    "approximation algorithm" "approximation algorithms" "online algorithms" "polynomial time"
    "boolean satisfiability" "np hard" "np complete" "shortest path" "graph algorithms" "automata theory"
    "sort algorithms" "streaming algorithms" "dynamic regret" satisfiability automata turing np-hard np-complete
    sublinear hardness combinatorial sorting sat
    """,
    "computer science: people and interaction": """
    "human computer" "user interface" "user interfaces" "user experience" "virtual reality" "augmented reality"
    "social media" "crowd workers" "eye tracking" "information visualization" "human ai" "human robot"
    "usability testing" usability hci crowdsourcing gamification wearables interface
    """,
    "computer science: robotics": """
    "robot manipulation" "motion planning" "path planning" "robotic manipulation" "legged locomotion" "mobile robots"
    "robot navigation" "multi agent" "sim to real" "robot learning" "in hand" "floor cleaning" robot robots robotic
    robotics quadruped drone drones uav uavs manipulators grasping teleoperation
    """,
    "biomedicine": """
    ~expression ~levels ~inhibition ~inhibits ~binding ~risk ~exposure ~growth ~deficiency ~tissue ~regulates
    ~induced ~activation ~health ~care ~population ~incidence "nitric oxide" "cognitive impairment"
    "visual impairment" "de novo" "hip fracture" "hip fractures" "saturated fat" "subcutaneous fat"
    "reactive nitrogen" "okazaki fragments" "lipid nanoparticles" "long covid" "car t" "acl reconstruction"
    "ligament reconstruction" "organ donation" "elderly populations" "fruit flies" "oxidative stress" "knee injury"
    "adverse events" "red blood" "white blood" "weight loss" "energy balance" arterioles venules neurotransmission
    hypothalamic aneuploidy cerevisiae saccharomyces ivermectin helminth aptamers rapamycin triacylglycerols browning
    dexamethasone bleeding postoperative fractures anthrax spores contigs phosphorylation dephosphorylation substrate
    gaba tau apoe4 ipsc il-2 il-6 il-10 monocytes headaches headache athletes injury injuries tears contraception
    abortion transfusion dialysis ventilation intubation palliative hospice frailty pharmacist pharmacies doctors
    kinesin actin myosin collagen keratinocytes osteoblasts osteoclasts lipids lipid liposomes glycolysis ketogenic
    fasting chemotherapy radiotherapy mastectomy catheter stent angioplasty echocardiography ultrasound tomography
    nucleosome helicase integrin cadherin wnt notch hedgehog bmp vegf hla mhc cd4 cd8 nk treg commensal prion amyloid
    "cystic fibrosis" "clinical trial" "clinical trials" "randomized controlled" "randomised controlled"
    "public health" "gene expression" "stem cell" "stem cells" "blood pressure" "heart failure" "breast cancer"
    "lung cancer" "immune system" "immune response" "risk factors" "mental health" "side effects" "amino acid"
    "amino acids" "fatty acid" "fatty acids" "t cell" "t cells" "b cells" "crispr cas9" "gene therapy" "gene editing"
    "drug delivery" "drug resistance" "drug discovery" "protein structure" "protein folding" "single cell"
    "gut microbiome" "vitamin d" "physical activity" "older adults" "life expectancy" "sleep apnea" "intensive care"
    "primary care" "health care" "medical imaging" "chest x" ~"x rays" "birth weight" "dna methylation"
    "stromal cells" "transcription start" "pseudomonas aeruginosa" "bone marrow" "magnetic resonance"
    "amyotrophic lateral" "multiple sclerosis" "insulin resistance" "blood cholesterol" "bone density" "cell death"
    "cell cycle" "cell line" patient patients clinical clinician disease diseases syndrome syndromes cancer cancers
    tumor tumour tumors carcinoma leukemia lymphoma melanoma metastasis metastatic oncology glioma oncogene apoptosis
    therapy therapies therapeutic treatment vaccine vaccines vaccination virus viruses viral bacteria bacterial
    microbial microbiome microbiota antibiotic antibiotics infection infections infected infectious sepsis malaria
    tuberculosis hiv aids influenza covid-19 covid sars-cov-2 coronavirus hepatitis ebola dengue zika measles herpes
    asthma copd diabetes diabetic insulin glucose obesity obese bmi cholesterol hypertension hypertensive cardiac
    cardiovascular coronary stroke arrhythmia atrial myocardial vascular endothelial artery arteries thrombosis
    anticoagulation statin statins aspirin metformin ibuprofen opioid opioids anesthesia surgery surgical transplant
    transplantation transplanted hospital hospitals mortality morbidity prognosis diagnosis diagnostic diagnostics
    symptom symptoms chronic acute pediatric paediatric neonatal infant infants newborn pregnancy pregnant maternal
    fetal placenta preeclampsia menopause fertility sperm ovarian prostate uterine gene genes genetic genetics genome
    genomes genomic genomics dna rna mrna mirna microrna protein proteins proteome proteomics enzyme enzymes kinase
    kinases receptor receptors ligand antibody antibodies antigen antigens cytokine cytokines interleukin lymphocytes
    macrophage macrophages neutrophil neutrophils neuron neurons neuronal synaptic synapse cortex cortical
    hippocampus hippocampal dopamine dopaminergic serotonin alzheimer parkinson dementia epilepsy seizure seizures
    autism schizophrenia migraine concussion cell cells cellular mitochondria mitochondrial chromosome chromosomes
    chromatin histone methylation epigenetic epigenetics transcription transcriptional mutation mutations mutant
    mutants allele phenotype phenotypes mouse mice murine rat rats zebrafish drosophila arabidopsis yeast escherichia
    salmonella staphylococcus pseudomonas plasmodium mosquito mosquitoes parasite parasites pathogen pathogens lung
    lungs pulmonary respiratory kidney renal liver hepatic gastric intestinal bowel colorectal pancreatic pancreas
    bile skin dermatitis psoriasis arthritis rheumatoid osteoporosis bone bones muscle skeletal spinal tendon retina
    retinal glaucoma cataract myopia sweat sputum mucus mucin meconium pilocarpine aerosols airway airways bronchial
    saliva serum plasma urine blood hemoglobin anemia iron-deficiency platelet platelets hematopoietic haematopoietic
    erythrocyte nutrition dietary diet supplementation vitamin vitamins calcium zinc selenium sodium epidemiology
    epidemiological prevalence incidence cohort placebo dose dosage pharmacokinetics pharmacology toxicity drug drugs
    inhibitor inhibitors agonist antagonist nurse nurses nursing physician physicians dentist dental caries
    physiotherapy rehabilitation telemedicine screening biomarker biomarkers crispr cas9 immunotherapy immunity
    immune immunology autoimmune allergy allergic inflammation inflammatory probiotics endocrine thyroid goitre
    cortisol estrogen testosterone aging ageing longevity caffeine alcohol smoking nicotine tobacco sleep insomnia
    exercise ecg ehr ehrs mri fmri ct medicine medical biomedical biology biological species embryo embryonic
    regeneration wound biopsy lesion lesions trachea lupus celiac angiogenesis fibroblast fibroblasts adipose ppar
    mtor p53 tp53 brca1 pten egfr tnf nf-kb tgf-beta autophagy ubiquitin proteasome telomere telomerase polymerase
    ribosome ribosomal
    """,
    "physics": """
    jwst muon muons meson mesons baryon wormhole bosons anyons kondo josephson spacetime lensing quasar quasars
    accretion collider cern ligo "dark photon" "radioactive decay" "x ray diffraction" isospin nuclei
    "quantum mechanics" "quantum computing" "quantum computer" "quantum computers" "quantum field" "black hole"
    "black holes" "dark matter" "dark energy" "general relativity" "special relativity" "string theory"
    "standard model" "higgs boson" "gravitational waves" "gravitational wave" "phase transition" "phase transitions"
    "condensed matter" "topological insulator" "topological insulators" "quantum entanglement" "quantum error"
    "bose einstein" "large hadron" "neutron star" "neutron stars" "cosmic microwave" "galaxy formation"
    "star formation" "photonic crystals" "photonic crystal" "bound states" "quantum dots" "quantum dot"
    "statistical mechanics" "fluid dynamics" "nuclear fusion" "particle physics" "high energy" "magnetic field"
    "spin glass" "monte carlo" "hubble tension" "hubble constant" "cosmic rays" "spin orbit" "many body" quantum
    qubit qubits photon photons photonic photonics electron electrons neutrino neutrinos boson fermion fermions
    hadron quark quarks gluon qcd gravity gravitational relativity cosmology cosmological galaxy galaxies
    astrophysics astrophysical exoplanet exoplanets supernova supernovae pulsar pulsars redshift telescope
    superconductivity superconducting superconductor superconductors superfluid ferromagnetic antiferromagnetic
    magnetism spintronics semiconductor semiconductors graphene laser lasers optics optical interferometer plasma
    tokamak turbulence thermodynamics hamiltonian holography supersymmetry inflationary axion axions ising skyrmion
    skyrmions moire physics entangled decoherence metamaterial metamaterials plasmonic terahertz oct
    """,
    "mathematics": """
    "approximation theory" "dynamical systems" "ordinary differential" "green s function" "calculus of variations"
    "free boundary" "harmonic analysis" "fourier analysis" "bayes theorem" "prime gaps" "variational inequality"
    "variational inequalities" "number theory" "algebraic geometry" "differential equations" "differential equation"
    "partial differential" "prime numbers" "group theory" "graph theory" "riemann hypothesis" "random walk"
    "random walks" "elliptic curves" "elliptic curve" "hyperbolic geometry" "category theory" "measure theory"
    "convex optimization" "stochastic processes" "markov chain" "markov chains" "linear algebra" "random matrix"
    "navier stokes" "fixed point" "lie algebra" "lie algebras" "lie groups" "moduli space" "moduli spaces"
    "functional analysis" "twin prime" "optimal transport" "ricci flow" "knot theory" "numerical analysis"
    "finite element" "central limit" "causal inference" "survival analysis" "hypothesis testing" "singular value"
    theorem theorems conjecture conjectures lemma topology topological homology cohomology homotopy manifold
    manifolds riemannian algebra algebraic algebras geometry geometric polynomial polynomials primes modular
    combinatorics combinatorial probability stochastic martingale ergodic eigenvalue eigenvalues hilbert banach
    sobolev calculus mathematics mathematical zeta diophantine galois estimator estimators asymptotic lebesgue
    hypergraph hypergraphs ramsey
    """,
    "chemistry": """
    "rate constant" "rate constants" "boiling point" "reaction kinetics" "reaction mechanism" "hydrogen bonds"
    stereochemistry aryl alkyl alkynes ketones aldehydes esters amines benzene aromatic heterocycles cyclization
    hydrogenation ruthenium iridium rhodium platinum electrolysis distillate titration pH "organic " "metal organic"
    "organic frameworks" "transition metal" "palladium catalyzed" "cross coupling" "asymmetric catalysis"
    "density functional" "molecular dynamics" "mass spectrometry" "lithium ion" "solid state" "perovskite solar"
    "carbon dioxide reduction" "co2 reduction" "water splitting" "hydrogen evolution" "ionic liquids"
    "click chemistry" "total " "nuclear magnetic" "green chemistry" "free radical" "thin films" "solid electrolyte"
    "c h activation" catalyst catalysts catalysis catalytic electrocatalyst electrocatalysts electrocatalysis
    photocatalysis photocatalytic molecule molecules molecular polymer polymers polymerization solvent solvents
    reagent oxidation chromatography spectroscopy raman nmr infrared electrochemistry electrochemical electrolyte
    electrolytes cathode anode battery batteries nanoparticle nanoparticles nanomaterials nanotubes perovskite
    perovskites zeolite zeolites mof mofs organometallic enantioselective chiral ligands isotope crystallography
    crystallization adsorption chemistry chemical chemicals hydrogel hydrogels colloid colloids surfactant
    surfactants palladium titanium-dioxide alkene alkenes retrosynthesis ammonia methane supramolecular
    """,
    "engineering": """
    "heat pump" "heat pumps" "wind power" "power plants" "fault diagnosis" "traffic signal" "vehicle routing"
    "optical fiber" hydropower refrigeration insulation truss girder cantilever steels machinability "power grid"
    "power grids" "smart grid" "smart grids" "power electronics" "heat transfer" "additive manufacturing"
    "3d printing" "structural health" "reinforced concrete" "finite element" "control system" "control systems"
    "wind turbine" "wind turbines" "electric vehicle" "electric vehicles" "fatigue crack" "supply chain"
    "signal processing" "model predictive" "predictive control" "civil engineering" "mechanical engineering"
    "fuel cell" "fuel cells" "heat exchanger" "heat exchangers" "digital twin" "digital twins"
    "predictive maintenance" "mimo systems" "antenna array" "wireless communication" "wireless communications"
    "carbon fiber" "composite materials" "solar cells" "solar panels" "traffic flow" "steel structures" "iron ore"
    "mineral processing" "jet engine" "internal combustion" "circuit design" "thermal management" "6g networks"
    "massive mimo" concrete steel welding alloy alloys titanium aluminium aluminum bridge bridges beam beams turbine
    turbines aerodynamic aerodynamics aircraft aerospace airfoil airfoils satellite combustion engine engines
    vibration vibrations bearing bearings fracture fatigue corrosion tribology photovoltaic photovoltaics inverter
    inverters microgrid microgrids voltage transistor transistors circuit circuits mems sensor sensors actuator
    actuators hydraulic pipeline manufacturing machining machinery tunnel tunnels geotechnical seismic pavement
    asphalt railway railways hvac desalination wastewater antenna antennas mimo engineering lithography cmos cement
    mineral
    """,
    "economics": """
    "labour supply" "labor supply" "insider trading" "price elasticity" "economic inequality" "bank lending"
    "bank regulation" lending borrowers depositors loans loan debt shareholders ceo ceos startups remittances
    austerity oecd imf "monetary policy" "fiscal policy" "interest rates" "interest rate" "minimum wage"
    "labor market" "labour market" "economic growth" "financial crisis" "central bank" "central banks" "stock market"
    "stock returns" "asset pricing" "game theory" "income inequality" "universal basic income" "international "
    "foreign direct" "exchange rate" "exchange rates" "supply and demand" "behavioral economics"
    "behavioural economics" "corporate governance" "consumer behavior" "consumer behaviour" "housing prices"
    "carbon tax" "carbon pricing" "gross domestic" "business cycles" "auction design" "mechanism design"
    "venture capital" "entrepreneurial firms" "gig economy" "microfinance institutions" "human capital"
    "market microstructure" inflation unemployment wages wage tariff tariffs taxation tax taxes economy economies
    economic economics econometric econometrics macroeconomic microeconomics gdp banks banking mortgage bitcoin
    cryptocurrency investors investment investments firms firm entrepreneurship marketing auctions auction
    microfinance subsidies subsidy poverty fintech accounting audit auditing portfolio monopoly oligopoly antitrust
    consumers retail tourism budget welfare pensions pension
    """,
    "sociology": """
    "social science" suburbs neighbourhoods neighborhoods "public space" "social exclusion" "social ties"
    "social capital" "social mobility" "social class" "gender inequality" "gender roles" "social movements"
    "social movement" "social networks" "social norms" "racial segregation" "ethnic minorities" "urban sociology"
    "life course" "domestic work" "domestic violence" "civil " "social inequality" "social stratification"
    "family structure" "rural " "homeless people" "gender pay" "time use" sociology sociological ethnography
    ethnographic immigrants immigration migrants migration refugees refugee race racial racism ethnicity feminism
    feminist masculinity gender gentrification segregation households household demography demographic divorce
    marriage cohabitation stratification anthropology anthropological housewives homelessness incarceration prison
    prisons crime crimes criminology policing delinquency urbanization inequality queer lgbtq kinship diaspora
    """,
    "law and politics": """
    "criminal justice" "refugee law" "tax law" "international treaties" lawyers judges jury plaintiffs sanctions
    coalition campaign campaigns ministers presidents presidential senate "international " "human rights"
    "supreme court" "constitutional " "voter turnout" "foreign policy" "political parties" "political party"
    "public opinion" "public policy" "international relations" "civil war" "civil wars" "european union"
    "united nations" "democratic backsliding" "copyright " "intellectual property" "copyright infringement"
    "criminal " "political polarization" "election fraud" "rule of " "fake news" "nuclear weapons"
    "nuclear deterrence" laws legal legislation court courts judicial jurisprudence constitution constitutional
    treaty treaties sovereignty democracy democracies democratic authoritarian authoritarianism populism populist
    election elections electoral voters voting parliament parliamentary government governance politics political
    politicians policymaking diplomacy geopolitics propaganda terrorism terrorist peacekeeping gdpr nato brexit
    copyright lobbying federalism corruption
    """,
    "education": """
    "higher education" "student achievement" "student engagement" "classroom management" "online learning"
    "distance learning" "early childhood" "teacher training" "teacher education" "physical education"
    "flipped classroom" "blended learning" "problem based learning" "language learning" "language acquisition"
    "second language" "reading skills" "special education" "math education" "mathematics education" "school children"
    "intelligent tutoring" "formative assessment" "high school" "primary school" "project based" education
    educational students teachers teaching classroom classrooms curriculum curricula pedagogy pedagogical school
    schools schooling university universities undergraduate undergraduates literacy mooc moocs tutoring homework
    kindergarten preschool bullying
    """,
    "psychology": """
    procrastination "ego depletion" "mental imagery" "eyewitness testimony" "body image" "eating disorders"
    "screen time" "social comparison" "peer pressure" "moral judgment" "job burnout" "working memory"
    "cognitive behavioral" "cognitive behavioural" "decision making" "personality traits" "big five"
    "social psychology" "developmental psychology" "emotional intelligence" "cognitive bias" "cognitive biases"
    "cognitive dissonance" "implicit bias" "attachment theory" "self esteem" "self efficacy" "self control"
    "mental health" "positive psychology" "prospect theory" "reaction time" "child development" "theory of mind"
    "stereotype threat" "growth mindset" "ego depletion" "intrinsic motivation" "false memories"
    "procrastination behavior" "well being" "social anxiety" "replication crisis" "job satisfaction" "work stress"
    "cognitive load" psychology psychological psychotherapy psychologist cognition cognitive memory memories emotion
    emotions emotional mood anxiety depression depressive ptsd trauma stress burnout personality neuroticism
    extraversion introversion motivation perception perceptual consciousness mindfulness meditation procrastination
    happiness loneliness empathy aggression addiction gambling temperament resilience infancy adolescence adolescent
    adolescents mindset creativity intelligence iq dyslexia adhd bilingualism bilingual psychometric rumination
    priming nudge nudges
    """,
    "earth and environment": """
    "carbon dioxide" "soil moisture" "sea surface" "water scarcity" "river basin" "tropical cyclones"
    "solar radiation" cyclone cyclones hurricane hurricanes landslide landslides erosion tsunami reef reefs plankton
    phytoplankton salinity aquifer aquifers species zebra elephants birds "climate change" "global warming"
    "sea level" "sea ice" "carbon cycle" "greenhouse gas" "greenhouse gases" "air pollution" "air quality"
    "water quality" "soil erosion" "soil carbon" "plate tectonics" "remote sensing" "land use" "ocean acidification"
    "el nino" "ice sheet" "ice sheets" "coral reef" "coral reefs" "biodiversity loss" "carbon capture"
    "renewable energy" "endangered species" "invasive species" "climate models" "extreme weather"
    "weather forecasting" "heat waves" "heat wave" "carbon emissions" "circular economy" "life cycle assessment"
    "microplastic pollution" "crop yield" "crop yields" "precision agriculture" "food security" "ecosystem services"
    "forest fires" "particulate matter" "urban heat" climate climatic atmosphere atmospheric ocean oceans oceanic
    marine glacier glaciers arctic antarctic permafrost sediment sediments geology geological geophysics volcano
    volcanoes volcanic earthquake earthquakes seismology tectonic tectonics magma mantle hydrology groundwater river
    rivers watershed flood floods flooding drought droughts rainfall precipitation monsoon ecosystem ecosystems
    ecology ecological biodiversity habitat habitats deforestation forest forests wildfire wildfires pollution
    pollutants microplastics emissions sustainability sustainable agriculture agricultural crop crops soil soils
    fertilizer pesticide pesticides irrigation wetlands wetland mangrove mangroves fisheries bees pollinators
    pollination whales recycling aerosol weather paleoclimate fossil fossils aquaculture livestock wheat maize rice
    """,
    "humanities": """
    "gender theory" "critical theory" iconography iliad homer dante chaucer "bible translation" "translation studies"
    crete minoan hieroglyphs papyri byzantine crusades reformation baroque romanticism modernism jazz symphony choir
    "middle ages" "ancient rome" "ancient greece" "roman empire" "art history" "world war" "cold war"
    "industrial revolution" "french revolution" "digital humanities" "literary criticism" "moral philosophy"
    "free will" "medieval manuscripts" "ottoman empire" "african american" "film studies" "historical linguistics"
    "victorian era" "victorian literature" "slave " "religious studies" "early modern" "postcolonial literature"
    "ancient egypt" "colonial rule" "oral history" "bronze age" "comparative literature" "virtue ethics"
    "trolley problem" "women s suffrage" "black death" "silk road" "musical instruments" history historical
    historians historiography medieval renaissance antiquity ancient archaeology archaeological manuscripts
    philosophy philosophical philosopher ethics moral morality metaphysics epistemology phenomenology kant aristotle
    plato hegel nietzsche wittgenstein heidegger shakespeare novels poetry poem poems poet literary literature
    fiction narrative rhetoric theology religion religious christianity christian islam islamic buddhism buddhist
    judaism bible quran church monasteries monastic art arts painting paintings sculpture museum museums music
    musical musicology opera theatre theater cinema linguistics linguistic phonology dialects colonial colonialism
    postcolonial slavery empire monarchy victorian enlightenment heritage folklore mythology aesthetics hermeneutics
    """,
}
"""Field -> its terms. The part after the colon is a branch of the field before it."""

_TERM = re.compile(r'(~?)(?:"([^"]+)"|(\S+))')
_FULL, _HINT, _PHRASE = 1.0, 0.5, 2.0
TERMS = {
    field: {
        (phrase or word).replace("-", " ").lower(): _HINT if hint else _PHRASE if " " in phrase else _FULL
        for hint, phrase, word in _TERM.findall(text)
    }
    for field, text in _LISTS.items()
}
"""Field -> its terms in lower case, with spaces for hyphens, and how much each counts."""
EVERY_WORD = frozenset(word for terms in TERMS.values() for term in terms for word in term.split() if len(word) > 2)
"""Every word that some term holds."""
PAIRS = frozenset(tuple(term.split()) for terms in TERMS.values() for term in terms if len(term.split()) > 1)
"""Every term of several words: these belong together."""
