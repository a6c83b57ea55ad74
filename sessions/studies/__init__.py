"""Studies in the store: versions, people, assignments with leases, sittings, what was answered and when."""
