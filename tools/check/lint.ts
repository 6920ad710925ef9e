import { join } from 'node:path';
import { bin, fewerGarbageCollections, run } from '../process/run.ts';
import type { Changed } from './changed.ts';
import { broken, holds, type Outcome } from './step.ts';

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
const notOurs = ['--ignore-pattern=**/*.gen.ts', '--ignore-pattern=server/demo/**'];

/** The linter writes in colours wherever CI is set or colours are forced, whatever else it is told. */
const plainly = { ...fewerGarbageCollections, CI: undefined, FORCE_COLOR: undefined };

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
    ...notOurs,
  ];
  const { code, output } = await run(bin(project, 'oxlint'), [...args, ...paths], { cwd: root, env: plainly });
  const summary = /Finished in .*/.exec(output)?.[0] ?? 'no file was linted';
  return code === 0 ? holds(summary) : broken(output.trim());
}

/** Every file stands as the formatter would write it; `npm run format` does. */
export async function format(root: string, paths: readonly string[], write = false): Promise<Outcome> {
  const config = ['-c', join(root, 'tools/check/oxfmt.json'), '--disable-nested-config'];
  const ours = ['!**/*.gen.ts', '!server/demo/**', '!tools/demo/player/**', '!**/*.{po,md,json,html,css}'];
  const mode = write ? '--write' : '--list-different';
  const { code, output } = await run(bin(root, 'oxfmt'), [...config, mode, ...paths, ...ours], { cwd: root });
  return code === 0 ? holds('formatted') : broken(`${output.trim()}\nnpm run format writes these as they should be`);
}

const isLinted = (path: string): boolean =>
  /\.[cm]?[jt]sx?$/.test(path) && lintedPaths.some((linted) => path === linted || path.startsWith(`${linted}/`));

export async function checkLint(root: string, changed: Changed = null): Promise<Outcome> {
  const paths = changed?.filter(isLinted) ?? lintedPaths;
  if (paths.length === 0) return holds('no file to lint has changed');
  const [linted, formatted] = [await lint(root, paths), await format(root, paths)];
  return formatted.failed === 0 ? linted : formatted;
}

if (import.meta.main) {
  const { says } = await format(process.cwd(), lintedPaths, true);
  console.log(says);
}
