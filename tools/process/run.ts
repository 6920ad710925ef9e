import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { killTree } from './end-tree.ts';

/** The result of a finished command; `output` is stdout and stderr in the order of arrival. */
export type ProcessResult = { code: number; output: string };

/** The path of a program of an installed package. */
export function bin(root: string, name: string): string {
  return join(root, 'node_modules', '.bin', name);
}

/**
 * Environment for short-lived programs written in Go: they collect garbage a quarter as often, and
 * use more memory.
 */
export const reducedGcEnv = { GOGC: '400' };

/** The PATH on which `#!/usr/bin/env node` finds the project's own Node. */
function addNodeToPath(root: string): string {
  return [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const running = new Set<number>();

function endAll(): void {
  for (const pid of running) killTree(pid);
}

function endAllOnSignal(signal: NodeJS.Signals): void {
  endAll();
  untrackProcess();
  process.kill(process.pid, signal);
}

/** A process that leads a group of its own does not receive our Ctrl-C, and would outlive us. */
function trackProcess(pid: number): void {
  if (running.size === 0) {
    process.on('exit', endAll);
    for (const signal of signals) process.on(signal, endAllOnSignal);
  }
  running.add(pid);
}

function untrackProcess(pid?: number): void {
  if (pid === undefined) running.clear();
  else running.delete(pid);
  if (running.size > 0) return;
  process.off('exit', endAll);
  for (const signal of signals) process.off(signal, endAllOnSignal);
}

/**
 * Runs a program to its end and collects its output. A program that cannot start ends with code
 * 127. It leads a process group, which is killed with all its descendants when `signal` aborts or
 * this process ends.
 */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string | undefined>; signal?: AbortSignal },
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      detached: true,
      env: { ...process.env, PATH: addNodeToPath(options.cwd), NO_COLOR: '1', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { pid } = child;
    if (pid !== undefined) {
      trackProcess(pid);
      options.signal?.addEventListener('abort', () => killTree(pid));
    }
    const parts: string[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part.toString()));
    child.stderr.on('data', (part: Buffer) => parts.push(part.toString()));
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => {
      if (pid !== undefined) untrackProcess(pid);
      resolve({ code: code ?? 1, output: parts.join('') });
    });
  });
}
