import type { FastifyInstance, FastifyTypeProvider } from 'fastify'
import type { z } from 'zod'

/** Gives handlers the types of the zod schemas their route declares. */
export interface ZodTypeProvider extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType ? z.input<this['schema']> : unknown
}

/** Lets routes declare zod schemas. Validation failures reach the error handler as ZodError. */
export function withZod(app: FastifyInstance) {
  app.setValidatorCompiler<z.ZodType>(({ schema }) => (data) => {
    const result = schema.safeParse(data)
    return result.success ? { value: result.data } : { error: result.error }
  })
  app.setSerializerCompiler<z.ZodType>(() => (data) => JSON.stringify(data))
  return app.withTypeProvider<ZodTypeProvider>()
}
