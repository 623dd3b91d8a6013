mod bodies;
mod cross_site;
mod headers;
mod hosts;
mod layers;
mod listen;
mod methods;
mod openapi;
