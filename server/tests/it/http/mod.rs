mod bodies;
mod cross_site;
mod headers;
mod listen;
mod methods;
mod openapi;
