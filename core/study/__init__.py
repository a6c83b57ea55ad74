"""Studies: people as respondents, asked by the same turns and judged by the same scorer as models."""
