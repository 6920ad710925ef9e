import { defineConfig } from 'vitest/config';

const node = { environment: 'node' as const };

/** The same files on the embedded database and on a real server. */
const server = {
  ...node,
  include: ['tests/server/**/*.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
};

/** Files that touch no database run once. */
const withoutDatabase = ['tests/server/demo-*.test.ts', 'tests/server/publication/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/{server,tools,e2e}/**', '**/*.dom.test.ts'],
        },
      },
      {
        extends: './vite.config.ts',
        test: {
          name: 'views',
          environment: 'jsdom',
          include: ['tests/**/*.test.tsx', 'tests/**/*.dom.test.ts'],
        },
      },
      { test: { ...node, name: 'tools', include: ['tests/tools/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { ...server, name: 'server', provide: { databaseServer: '' } } },
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
