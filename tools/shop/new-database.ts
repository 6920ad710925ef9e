import pg from 'pg';

/** The migrated template database that other databases of the server are copied from. */
export const TEMPLATE_DATABASE = 'shop_template';

/**
 * Creates a database on the server, empty or as a copy of another one.
 * @returns the new database's connection URL
 */
export async function createDatabase(server: string, name: string, copyOf = 'template1'): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name} template ${copyOf}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
