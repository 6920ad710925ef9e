import type { CartEntry } from '../../../../machines/model/buying/cart.ts';
import type { Price } from '../../../../machines/model/catalogue/title.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { titleElement, xml } from '../../wires.ts';

const priceElement = ({ amount, currency, symbol }: Price) =>
  element('Price', [fields({ Amount: amount, Currency: currency, CurrencySymbol: symbol })]);

/** A cart as the server's response. */
export const toCartXml = (entries: readonly CartEntry[]) =>
  xml(
    element('Cart', [
      fields({ Count: entries.length }),
      element(
        'Titles',
        entries.flatMap(({ title }) => (title === null ? [] : [titleElement(title)])),
      ),
      element(
        'Lines',
        entries.map(({ titleId, name, savedAt, isOwned, usual }) =>
          element('Line', [
            fields({ TitleId: titleId, Name: name, AddedAt: savedAt, Owned: isOwned }),
            ...(usual === undefined ? [] : [element('UsualPrices', usual.map(priceElement))]),
          ]),
        ),
      ),
    ]),
  );

/**
 * Whether the server's own cart agrees with the model's: with or without titles, and with or
 * without a reduction by a code.
 */
export const matchesCart = (entries: readonly CartEntry[], body: string): boolean =>
  entries.length > 0 === body.includes('<Line>') &&
  entries.some(({ usual }) => usual !== undefined) === body.includes('<UsualPrices>');
