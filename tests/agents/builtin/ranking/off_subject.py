"""Questions that the starter shelf has papers on, and everyday ones that it has none on; a half each for tuning."""

OFF_SUBJECT = {
    "tune": """
does coffee reduce sleep quality?
effects of exercise on depression in older adults
how do bees communicate?
medieval trade routes in the Baltic
is remote work more productive?
climate change impact on coral reefs
history of the Roman senate
what causes inflation?
best treatment for plantar fasciitis
volcanic eruptions and crop failure
microplastics in drinking water
effect of minimum wage on employment
lithium-ion battery degradation
dark matter detection experiments
does meditation lower blood pressure?
urban heat islands
parenting styles and adolescent behaviour
are electric cars better for the environment?
concrete carbonation models
migration of arctic terns
""".strip().splitlines(),
    "report": """
does chocolate improve memory?
effects of screen time on children's eyesight
how do salmon find their way home?
gothic cathedral construction techniques
is universal basic income effective?
deforestation and rainfall in the Amazon
trade policy of the Hanseatic League
what causes earthquakes?
best surgery for torn meniscus
perovskite solar cell stability
soil erosion under different tillage
wind turbine noise and health
gravitational waves from neutron star mergers
does yoga help with chronic back pain?
traffic noise and bird song
teacher burnout interventions
can vitamin D prevent influenza?
steel fibre reinforced concrete beams
population genetics of grey wolves
learning a second language in old age
""".strip().splitlines(),
}
ON_SUBJECT = {
    "tune": """
variational autoencoders
residual networks for images
topic models
language models are few-shot learners
generative adversarial networks
word embeddings
knowledge distillation
dense passage retrieval for open-domain question answering
How do transformers use attention?
How are scientific papers ranked by search engines?
genome-wide association studies
randomised trials reporting guidelines
What agents use tools with large language models?
protein structure prediction
learning to rank
retrieval-augmented generation
which methods reduce overfitting in neural networks?
systematic review screening with machine learning
evaluation of automatic summaries
BM25 probabilistic relevance framework
""".strip().splitlines(),
    "report": """
attention is all you need
image classification with deep convolutional networks
question answering over text passages
what is the effect of dropout on overfitting?
how do graph neural networks learn from nodes?
pseudo-relevance feedback for query expansion
language model agents that write code
meta-analysis heterogeneity statistics
named entity recognition in biomedical text
diffusion models for image generation
sequence alignment search tools
neural machine translation
multi-agent conversation with large language models
citation networks and PageRank
which papers propose benchmarks for language understanding?
low-rank adaptation of large models
support vector machines
reading comprehension dataset
evaluation of information retrieval with test collections
gene ontology
""".strip().splitlines(),
}
