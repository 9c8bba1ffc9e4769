"""What goes between pages and the network: routes, streams, workers, recordings of traffic."""
