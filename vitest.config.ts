import { defineConfig } from 'vitest/config';

const node = { environment: 'node' as const };

/** The same files on the embedded database and on a real server. */
const server = {
  ...node,
  include: ['tests/server/**/*.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
  isolate: false,
  // The embedded database is WebAssembly: making its code faster while it runs costs more than these tests get back.
  execArgv: ['--liftoff-only'],
};

/** Files that touch no database run once. */
const withoutDatabase = ['tests/server/demo-*.test.ts', 'tests/server/publication/**'];

export default defineConfig({
  test: {
    // Vitest would leave one processor to itself, which has little to do.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['tests/{machines,model,trace,traces,paths,api,ports,routes,brand,viewers}/**/*.test.ts'],
        },
      },
      {
        extends: './vite.config.ts',
        test: {
          name: 'views',
          environment: 'jsdom',
          include: ['tests/{views,ui}/**/*.test.{ts,tsx}'],
        },
      },
      { test: { ...node, name: 'tools', include: ['tests/tools/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { ...server, name: 'server', globalSetup: ['tests/server/support/embedded-database.ts'] } },
      {
        test: {
          ...server,
          name: 'server-postgres',
          exclude: withoutDatabase,
          globalSetup: ['tests/server/support/real-database.ts'],
        },
      },
    ],
  },
});
