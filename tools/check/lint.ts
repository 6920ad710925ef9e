import { join } from 'node:path';
import { bin, reducedGcEnv, run } from '../process/run.ts';
import type { ChangedFiles } from './changed-files.ts';
import { fail, pass, type Outcome } from './step.ts';

export const lintedPaths = [
  'machines',
  'src',
  'server',
  'tools',
  'tests',
  'vite.config.ts',
  'vitest.config.ts',
  'lingui.config.ts',
];

/** Generated files and built content. */
const ignoredPatterns = ['--ignore-pattern=**/*.gen.ts', '--ignore-pattern=server/demo/**'];

/** The linter prints colours whenever CI or FORCE_COLOR is set, even if an option disables them. */
const plainOutputEnv = { ...reducedGcEnv, CI: undefined, FORCE_COLOR: undefined };

/** Lints `paths` under `root` by the project's rules; a warning fails as an error does. */
export async function lint(root: string, paths: readonly string[], project = root): Promise<Outcome> {
  const config = join(project, 'tools/check/oxlint.json');
  const args = [
    '-c',
    config,
    '--disable-nested-config',
    '--type-aware',
    '--deny-warnings',
    '--report-unused-disable-directives',
    ...ignoredPatterns,
  ];
  const { code, output } = await run(bin(project, 'oxlint'), [...args, ...paths], { cwd: root, env: plainOutputEnv });
  const summary = /Finished in .*/.exec(output)?.[0] ?? 'no file was linted';
  return code === 0 ? pass(summary) : fail(output.trim());
}

/** Checks that every file is formatted; `npm run format` rewrites them. */
export async function format(root: string, paths: readonly string[], write = false): Promise<Outcome> {
  const config = ['-c', join(root, 'tools/check/oxfmt.json'), '--disable-nested-config'];
  const excludedPatterns = ['!**/*.gen.ts', '!server/demo/**', '!tools/demo/player/**', '!**/*.{po,md,json,html,css}'];
  const mode = write ? '--write' : '--list-different';
  const { code, output } = await run(bin(root, 'oxfmt'), [...config, mode, ...paths, ...excludedPatterns], { cwd: root });
  return code === 0 ? pass('formatted') : fail(`${output.trim()}\nnpm run format formats these files`);
}

const isLinted = (path: string): boolean =>
  /\.[cm]?[jt]sx?$/.test(path) && lintedPaths.some((linted) => path === linted || path.startsWith(`${linted}/`));

export async function checkLint(root: string, changed: ChangedFiles = null): Promise<Outcome> {
  const paths = changed?.filter(isLinted) ?? lintedPaths;
  if (paths.length === 0) return pass('no file to lint has changed');
  const [lintOutcome, formatOutcome] = [await lint(root, paths), await format(root, paths)];
  return formatOutcome.failed === 0 ? lintOutcome : formatOutcome;
}

if (import.meta.main) {
  const { summary } = await format(process.cwd(), lintedPaths, true);
  console.log(summary);
}
