"""What a person asks of the assistant, by rules: requests in English, out of which plans over the tools are made."""
