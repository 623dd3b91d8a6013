mod bodies;
mod cross_site;
mod headers;
mod layers;
mod listen;
mod methods;
mod openapi;
mod queries;
