// Plain JavaScript, loaded before everything else: an old Node cannot even read the TypeScript.
const WANTED = 26

if (Number(process.versions.node.split('.')[0]) < WANTED) {
  console.error(
    `Sluice needs Node ${WANTED}, and this is Node ${process.versions.node}. npm install brings it ` +
      'as an optional package and links it; type "npm install" again, without --ignore-scripts and ' +
      `--omit=optional. Where there is no such package for ${process.platform}-${process.arch}, ` +
      `install Node ${WANTED} itself.`,
  )
  process.exit(1)
}
