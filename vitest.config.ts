import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** By default Vitest reserves one processor for itself, which would be mostly idle. */
const maxWorkers = '100%';

const node = { environment: 'node' as const };

/** The same files run on the embedded database and on a real server. */
const server = {
  ...node,
  include: ['tests/server/**/*.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  isolate: false,
  // The embedded database is WebAssembly: optimising its code at run time costs more than these
  // tests gain.
  execArgv: ['--liftoff-only'],
};

/**
 * Tests that start processes, compile projects or fuzz for long: not part of the check, but of
 * `npm test`.
 */
const slow = [
  'tests/tools/{adding-a-flow,adding-a-language,bench,browser-tests,demo-epubs,dev,import-many,lint,mutate,parts,paths,plan-page,types,units,unused}.test.ts',
  'tests/tools/replay-{bad-input,fuzz,other-build,process,to-test}.test.ts',
  'tests/trace/{canary,replay}.test.ts',
  'tests/routes/hostile.test.ts',
  'tests/faults/**/*.test.ts',
];

/** Files that use no database run once. */
const withoutDatabase = [
  'tests/server/catalogue/demo-*.test.ts',
  'tests/server/buying/payment-emails.test.ts',
  'tests/server/process/{settings,stray-errors,limited-threads,turns}.test.ts',
  'tests/server/gateways/{gateway-amounts,gateway-cards,gateway-clock,gateway-contract,gateway-subscriptions,razorpay-orders,stripe-cards}.test.ts',
  'tests/server/sign-in/{passwords,sms-gateway}.test.ts',
  'tests/server/languages/translator.test.ts',
  'tests/server/publication/**',
];

/** Files about code that does not depend on the database run once, on the faster one. */
const onAnyDatabase = [
  'tests/server/gateways/{another-gateway,gateway,gateway-language,gateway-process}.test.ts',
  'tests/server/process/connections.test.ts',
  'tests/server/pages/hosts.test.ts',
  'tests/server/catalogue/paging.test.ts',
];

/** One process kills and is killed with its folder; several need a database server. */
const onFolder = ['tests/server/process/killed-shop.test.ts'];
const onServer = ['tests/server/process/{database-loss,docs-several-shops,rolling-restart,several-shops}.test.ts'];

const filesOf = (patterns: string[]): string[] => globSync(patterns, { cwd: import.meta.dirname }).toSorted();
const onOne = new Set(filesOf([...withoutDatabase, ...onAnyDatabase, ...onFolder, ...onServer]));
/**
 * `npm test` rotates them: half of the files, each on one of the databases, then the other half,
 * then both halves on the other database. The value is the turn, from 0 to 3; if it is unset, all
 * files run on both.
 */
const turn = process.env['SERVER_TURN'];
const leftOut = (database: 0 | 1): string[] => {
  if (turn === undefined) return [];
  const half = Number(turn) % 2;
  const swapped = Math.floor(Number(turn) / 2);
  return filesOf(server.include).filter((file, at) => {
    const isOnOther = !onOne.has(file) && (Math.floor(at / 2) + swapped) % 2 !== database;
    return at % 2 !== half || isOnOther;
  });
};

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          ...node,
          isolate: false,
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/{server,tools,e2e}/**', '**/*.dom.test.ts', ...slow],
          testTimeout: 30_000,
        },
      },
      {
        extends: './vite.config.ts',
        test: {
          name: 'views',
          // On a busy machine a screen may take longer than the default second.
          expect: { poll: { timeout: 10_000 } },
          // One jsdom package for all files, a window of its own for each.
          pool: 'vmThreads',
          setupFiles: ['tests/testing-library.setup.ts'],
          testTimeout: 30_000,
          maxWorkers,
          environment: 'jsdom',
          include: ['tests/**/*.test.tsx', 'tests/**/*.dom.test.ts'],
        },
      },
      { test: { ...node, name: 'tools', include: ['tests/tools/**/*.test.ts'], exclude: slow, testTimeout: 60_000 } },
      { test: { ...node, name: 'slow', include: slow, testTimeout: 60_000 } },
      {
        test: {
          ...server,
          name: 'server',
          exclude: [...onServer, ...onAnyDatabase, ...leftOut(0)],
          globalSetup: ['tests/server/support/embedded-database.ts'],
        },
      },
      {
        test: {
          ...node,
          name: 'firefox',
          include: ['tests/e2e/firefox/*.test.ts'],
          globalSetup: ['tests/e2e/firefox/support/global-setup.ts'],
          // One shop and one Firefox for all tests.
          isolate: false,
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          ...server,
          name: 'server-postgres',
          exclude: [...withoutDatabase, ...onFolder, ...leftOut(1)],
          globalSetup: ['tests/server/support/real-database.ts'],
        },
      },
    ],
  },
});
