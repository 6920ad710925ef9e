import { Receipt } from '../../../machines/model/purchase.ts';
import type { Api } from '../../client/client.ts';
import { jsonAnswer } from '../../client/json.ts';

/** What a finished purchase granted and cost. */
export const purchaseInfo = (api: Api, transId: string, signal?: AbortSignal): Promise<Receipt> =>
  jsonAnswer(
    api,
    'purchase/info',
    api.client.GET('/purchase/info', { params: { query: { transId } }, ...api.reading(signal) }),
    Receipt,
  );
