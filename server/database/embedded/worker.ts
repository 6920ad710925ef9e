import { openAsBlob } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { PrivateFolder } from './private-folder.ts';
import type { WorkerAnswer, WorkerError, WorkerInput, WorkerRequest } from './messages.ts';

/*
 * PGlite computes on the calling thread, so a long query would block every request of the server.
 * It runs here, on its own thread, one statement at a time in order of arrival.
 */
const port = parentPort;
if (!port) throw new Error('This module must run in a worker thread.');
const postAnswer = (answer: WorkerAnswer) => port.postMessage(answer);
const input = workerData as WorkerInput;

const getField = (error: unknown, name: string): string | undefined => {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
};

const toWorkerError = (error: unknown): WorkerError => ({
  message: error instanceof Error ? error.message : String(error),
  code: getField(error, 'code'),
  constraint: getField(error, 'constraint'),
  detail: getField(error, 'detail'),
});

async function serve(database: PGlite, request: WorkerRequest): Promise<void> {
  try {
    if (request.kind === 'close') {
      await database.close();
      postAnswer({ id: request.id, kind: 'answer', answer: { rows: [], affectedRows: 0, command: 'CLOSE' } });
      return;
    }
    const result = await database.query(request.sql, [...request.parameters]);
    const command: unknown = Reflect.get(result, 'command');
    postAnswer({
      id: request.id,
      kind: 'answer',
      answer: {
        rows: result.rows,
        affectedRows: result.affectedRows ?? 0,
        command: typeof command === 'string' ? command.split(' ')[0] : undefined,
      },
    });
  } catch (error) {
    postAnswer({ id: request.id, kind: 'error', error: toWorkerError(error) });
  }
}

try {
  const database = await PGlite.create({
    ...(input.folder === undefined ? {} : { fs: new PrivateFolder(input.folder) }),
    ...(input.from === undefined ? {} : { loadDataDir: await openAsBlob(input.from) }),
    // Sums and counts are int8; all amounts are far below 2^53.
    parsers: { [types.INT8]: Number },
  });
  // A store's tables are in memory: reading a page is cheap compared with its rows, sequential or
  // not.
  await database.exec('set seq_page_cost = 0.2; set random_page_cost = 0.2');
  let queue: Promise<void> = Promise.resolve();
  port.on('message', (request: WorkerRequest) => {
    queue = queue.then(() => serve(database, request));
  });
  postAnswer({ kind: 'ready' });
} catch (error) {
  postAnswer({ kind: 'failed', error: toWorkerError(error) });
}
