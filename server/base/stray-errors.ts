/**
 * Keeps the process running after an unhandled error event or promise rejection: it belongs to one
 * client, socket, thread or child process, and exiting would cut the requests of all others.
 * Answered purchases are already in the database.
 */
export function surviveStrayErrors(log: (event: string, error: unknown) => void): void {
  // Without a listener, each line written to a closed log pipe would be such an error, too.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.on('uncaughtException', (error) => log('process.uncaught_exception', error));
  process.on('unhandledRejection', (error) => log('process.unhandled_rejection', error));
}
