import pg from 'pg';

/** The migrated database that others of the same server are copies of. */
export const TEMPLATE = 'shop_template';

/** Makes a database on the server, empty or a copy of another one. @returns its address */
export async function newDatabase(server: string, name: string, copyOf = 'template1'): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name} template ${copyOf}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
