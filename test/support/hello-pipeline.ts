/** A pipeline on GET /hello whose script answers with `answer`, as a form of the gateway API. */
export const helloForm = (answer: string, { head = '' }: { head?: string } = {}) => ({
  pipeline: { text: helloYaml(head), fileName: 'pipeline.yaml' },
  'answer.js': { text: helloScript(answer), fileName: 'answer.js' },
})

/** Its text; `head` goes on top of it. */
export const helloYaml = (head = '') => `${head}# a comment that stays
routes: [{ path: /hello, method: GET }]
stages:
  - id: answer
    scriptRef: answer.js
    continueOnError: false
`

/** Its script. */
export const helloScript = (answer: string) =>
  `function handleRequest() {
  return { response: { code: 200, body: ${JSON.stringify(answer)} } }
}
`

/** What GET /hello, or the same below a version's prefix, answers now. */
export async function getHello(gateway: string, prefix = '') {
  const reply = await fetch(`${gateway}${prefix}/hello`)
  return `${reply.status} ${await reply.text()}`
}
