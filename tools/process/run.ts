import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** How a finished command ended; `output` is stdout and stderr in the order they came. */
export type Finished = { code: number; output: string };

/** The path of a program that a package installed. */
export function bin(root: string, name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

/** The path on which `#!/usr/bin/env node` finds the Node that the project brings along. */
function withOwnNode(root: string): string {
  return [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
}

/** Runs a program to its end and gathers what it said. A program that cannot start ends with code 127. */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string | undefined> },
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, PATH: withOwnNode(options.cwd), NO_COLOR: '1', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: string[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part.toString()));
    child.stderr.on('data', (part: Buffer) => parts.push(part.toString()));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: parts.join('') }));
  });
}
