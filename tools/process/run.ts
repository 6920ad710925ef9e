import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { endTree } from './end-tree.ts';

/** How a finished command ended; `output` is stdout and stderr in the order they came. */
export type Finished = { code: number; output: string };

/** The path of a program that a package installed. */
export function bin(root: string, name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

/** Environment of programs written in Go that end soon: they collect their garbage a quarter as often, and take more memory. */
export const fewerGarbageCollections = { GOGC: '400' };

/** The path on which `#!/usr/bin/env node` finds the Node that the project brings along. */
function withOwnNode(root: string): string {
  return [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const running = new Set<number>();

function endAll(): void {
  for (const pid of running) endTree(pid);
}

function endAllAnd(signal: NodeJS.Signals): void {
  endAll();
  forget();
  process.kill(process.pid, signal);
}

/** What leads a group of its own hears no Ctrl-C of ours, and would live on after us. */
function remember(pid: number): void {
  if (running.size === 0) {
    process.on('exit', endAll);
    for (const signal of signals) process.on(signal, endAllAnd);
  }
  running.add(pid);
}

function forget(pid?: number): void {
  if (pid === undefined) running.clear();
  else running.delete(pid);
  if (running.size > 0) return;
  process.off('exit', endAll);
  for (const signal of signals) process.off(signal, endAllAnd);
}

/**
 * Runs a program to its end and gathers what it said. A program that cannot start ends with code 127. It leads a process
 * group; when `signal` is given, or this process ends, it is killed with all that it started.
 */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string | undefined>; signal?: AbortSignal },
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      detached: true,
      env: { ...process.env, PATH: withOwnNode(options.cwd), NO_COLOR: '1', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { pid } = child;
    if (pid !== undefined) {
      remember(pid);
      options.signal?.addEventListener('abort', () => endTree(pid));
    }
    const parts: string[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part.toString()));
    child.stderr.on('data', (part: Buffer) => parts.push(part.toString()));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => {
      if (pid !== undefined) forget(pid);
      resolve({ code: code ?? 1, output: parts.join('') });
    });
  });
}
