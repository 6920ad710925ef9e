/**
 * Keeps the process running where an error event has no listener, or a promise is rejected that no
 * code waits for: it belongs to one client, socket, thread or child process, and ending the shop
 * would cut the requests of all others. Answered purchases are in the database.
 */
export function surviveStrayErrors(log: (message: string, error: unknown) => void): void {
  // Without a listener each line to a reader of the log that has gone would be such an error, too.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.on('uncaughtException', (error) => log('an error that no code has handled', error));
  process.on('unhandledRejection', (error) => log('a rejection that no code has handled', error));
}
