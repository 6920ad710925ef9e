import { openAsBlob } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { PrivateFolder } from './private-folder.ts';
import type { WorkerAnswer, WorkerError, WorkerInput, WorkerRequest } from './messages.ts';

/*
 * PGlite computes on the thread that calls it, so a long query would hold up every request of the server. It lives
 * here, on a thread of its own, and takes one statement at a time in the order they come.
 */
const port = parentPort;
if (!port) throw new Error('The database thread has no parent to speak with.');
const say = (answer: WorkerAnswer) => port.postMessage(answer);
const input = workerData as WorkerInput;

const field = (error: unknown, name: string): string | undefined => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

const describe = (error: unknown): WorkerError => ({
  message: error instanceof Error ? error.message : String(error),
  code: field(error, 'code'),
  constraint: field(error, 'constraint'),
  detail: field(error, 'detail'),
});

async function serve(database: PGlite, request: WorkerRequest): Promise<void> {
  try {
    if (request.kind === 'close') {
      await database.close();
      say({ id: request.id, kind: 'answer', answer: { rows: [], affectedRows: 0, command: 'CLOSE' } });
      return;
    }
    const result = await database.query(request.sql, [...request.parameters]);
    const command: unknown = Reflect.get(result, 'command');
    say({
      id: request.id,
      kind: 'answer',
      answer: {
        rows: result.rows,
        affectedRows: result.affectedRows ?? 0,
        command: typeof command === 'string' ? command.split(' ')[0] : undefined,
      },
    });
  } catch (error) {
    say({ id: request.id, kind: 'error', error: describe(error) });
  }
}

try {
  const database = await PGlite.create({
    ...(input.folder === undefined ? {} : { fs: new PrivateFolder(input.folder) }),
    ...(input.from === undefined ? {} : { loadDataDir: await openAsBlob(input.from) }),
    // Sums and counts are int8; every amount here is far below 2^53.
    parsers: { [types.INT8]: Number },
  });
  // A store's tables lie in memory: a page costs little beside the row that is read from it, wherever it stands.
  await database.exec('set seq_page_cost = 0.2; set random_page_cost = 0.2');
  let queue: Promise<void> = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    queue = queue.then(() => serve(database, request));
  });
  say({ kind: 'ready' });
} catch (error) {
  say({ kind: 'failed', error: describe(error) });
}
