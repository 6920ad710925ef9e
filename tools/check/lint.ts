import { join } from 'node:path'
import { bin, run } from '../process/run.ts'
import { broken, holds, type Outcome } from './step.ts'

export const lintedPaths = ['machines', 'src', 'server', 'tools', 'tests', 'vite.config.ts', 'vitest.config.ts', 'lingui.config.ts']

/** Generated files and built content. */
const notOurs = ['--ignore-pattern=**/*.gen.ts', '--ignore-pattern=server/demo/**']

/** Lints `paths` under `root` by the project's rules; a warning fails as an error does. */
export async function lint(root: string, paths: readonly string[], project = root): Promise<Outcome> {
  const config = join(project, 'tools/check/oxlint.json')
  const args = ['-c', config, '--disable-nested-config', '--type-aware', '--deny-warnings', '--report-unused-disable-directives', ...notOurs]
  const { code, output } = await run(bin(project, 'oxlint'), [...args, ...paths], { cwd: root })
  const summary = /Finished in .*/.exec(output)?.[0] ?? 'no file was linted'
  return code === 0 ? holds(summary) : broken(output.trim())
}

export function checkLint(root: string): Promise<Outcome> {
  return lint(root, lintedPaths)
}
