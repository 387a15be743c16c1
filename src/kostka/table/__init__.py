"""The table: people and agents play over the network, each seeing only what it may."""
