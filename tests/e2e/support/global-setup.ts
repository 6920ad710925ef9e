import { startShop } from '../../../tools/shop/running-shop.ts';
import { announceFreshData } from './fresh-data.ts';

/** Makes the data of a fresh shop once: making it takes seconds, copying it does not. */
export default async function makeFreshData(): Promise<() => Promise<void>> {
  const shop = await startShop();
  await shop.stop();
  announceFreshData(shop.data);
  return shop.remove;
}
