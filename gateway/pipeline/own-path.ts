/** Paths of the gateway's own API. They never reach a pipeline or the engine; no engine has them. */
export const OWN_PATH = /^\/_(?:pipelines?|sluice|analytics\/pipelines?)(?:[/?]|$)/
