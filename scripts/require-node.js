// Plain JavaScript, loaded before everything else: an old Node cannot even read the TypeScript.
const WANTED = 26

if (Number(process.versions.node.split('.')[0]) < WANTED) {
  console.error(
    `Sluice needs Node ${WANTED}, and this is Node ${process.versions.node}. npm install brings it ` +
      `as an optional package, but has brought none for ${process.platform}-${process.arch}: ` +
      'install again without --omit=optional, or, where there is no such package, ' +
      `install Node ${WANTED} itself.`,
  )
  process.exit(1)
}
