/** What every script finds as `context`; the kernel builds it anew for each stage. */
export const contextTypes = `/** What a stage receives and may change. Stages before it may have added keys of their own. */
interface ScriptContext {
  /** The client's request. */
  request: {
    method: string
    url: string
    /** Names in lower case. */
    headers: Record<string, string>
    /** Text; read it with JSON.parse, write it with JSON.stringify. */
    body: string
  }
  /** The answer so far. */
  response: {
    /** The HTTP status. */
    code: number
    headers: Record<string, string>
    /** Text; read it with JSON.parse, write it with JSON.stringify. */
    body: string
  }
  /** Variables of the pipeline, the environment and the cluster, and facts of the request. */
  envs: ScriptEnvs
  /** What stages before this one have added. */
  [stageOutput: string]: any
}
interface ScriptEnvs {
  /** Names in the path's {index}. */
  index?: string[]
  /** The value of the first query of a declarative request. */
  query?: string
  /** Field to value, of the term queries of a declarative request. */
  filters?: Record<string, unknown>
  /** The type of the first query of a declarative request. */
  type?: string
  customEvents?: Record<string, unknown>
  category?: string
  acl?: string
  /** The caller's address. */
  ipv4?: string
  ipv6?: string
  isTLS?: boolean
  method?: string
  /** The Host header. */
  origin?: string
  path?: string
  referer?: string
  referrer?: string
  /** The first value of each parameter of the query string. */
  urlValues?: Record<string, string>
  [name: string]: any
}
/** The context of this run; what is not returned by handleRequest is taken from here. */
declare const context: ScriptContext`
