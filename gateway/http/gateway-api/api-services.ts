/** What the handlers of the gateway API work with; each feature adds its own part. */
export interface ApiServices {
  /** JSON schema of the pipeline definition. */
  pipelineSchema(): Record<string, unknown>
}
