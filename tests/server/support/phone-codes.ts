import type { Shop } from './shop.ts';

let numbers = 0;
/** A British mobile number that no test has asked about. */
export const newPhone = (): string => `+447400${String((numbers += 1)).padStart(6, '0')}`;

export type Asking = {
  shelfid: string;
  language?: string;
  remoteAddress?: string;
  cookie?: string | undefined;
  accesstoken?: string;
};

/** Asks a shop to send a code to a number. */
export const askForCode = (shop: Shop, phone: string, asking: Asking) => {
  const { language = 'en', remoteAddress = '127.0.0.1', cookie, ...query } = asking;
  return shop.app.inject({
    method: 'POST',
    url: `/api/user/phone/code?${new URLSearchParams({ appid: 'web', ...query }).toString()}`,
    remoteAddress,
    headers: { 'content-type': 'text/xml', 'accept-language': language, ...(cookie === undefined ? {} : { cookie }) },
    payload: `<SendPhoneCode><Phone>${phone}</Phone></SendPhoneCode>`,
  });
};
