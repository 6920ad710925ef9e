// Runs on a bare Node 20, before anything is installed.
import { join } from 'node:path'
import { installWhatIsMissing } from '../start/install.mjs'
import { projectNode, root, runHere } from '../start/runtime.mjs'

await installWhatIsMissing()
process.exitCode = await runHere(projectNode(), [join(root, 'tools', 'test', 'everything.ts')])
