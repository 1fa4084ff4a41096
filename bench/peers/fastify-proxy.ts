import httpProxy from '@fastify/http-proxy'
import { fastify } from 'fastify'
import { announce } from '../processes.ts'

const app = fastify()
await app.register(httpProxy, { upstream: process.argv[2] ?? '' })
await app.listen({ port: 0, host: '127.0.0.1' })
announce(app.server)
