import { startShop } from '../../server/start.ts';
import { createDevPages } from './dev-pages.ts';

const pages = await createDevPages(process.cwd());
const shop = await startShop(process.env, { serverFactory: pages.serverFactory });

async function stop(): Promise<void> {
  await pages.close();
  await shop.stop();
  process.exit(0);
}

process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
console.log(`Colophon is ready: ${shop.address}`);
