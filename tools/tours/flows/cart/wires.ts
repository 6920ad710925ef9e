import type { CartEntry } from '../../../../machines/model/buying/cart.ts';
import type { Price } from '../../../../machines/model/catalogue/title.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { renderTitle, toXmlResponse } from '../../wires.ts';

const renderPrice = ({ amount, currency, symbol }: Price) =>
  renderElement('Price', [renderFields({ Amount: amount, Currency: currency, CurrencySymbol: symbol })]);

/** Renders a cart as the server's response. */
export const toCartXml = (entries: readonly CartEntry[]) =>
  toXmlResponse(
    renderElement('Cart', [
      renderFields({ Count: entries.length }),
      renderElement(
        'Titles',
        entries.flatMap(({ title }) => (title === null ? [] : [renderTitle(title)])),
      ),
      renderElement(
        'Lines',
        entries.map(({ titleId, name, savedAt, isOwned, usual }) =>
          renderElement('Line', [
            renderFields({ TitleId: titleId, Name: name, AddedAt: savedAt, Owned: isOwned }),
            ...(usual === undefined ? [] : [renderElement('UsualPrices', usual.map(renderPrice))]),
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
