import { startShop } from '../../server/start.ts';
import { devPages } from './dev-pages.ts';

const pages = await devPages(process.cwd());
const shop = await startShop(process.env, { serverFactory: pages.serverFactory });

async function stop(): Promise<void> {
  await pages.close();
  await shop.stop();
  process.exit(0);
}

process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
console.log(`Colophon is ready: ${shop.address}`);
