import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { taxMachine } from '../../../machines/buying/tax.ts';
import { countryCodes } from '../../../machines/model/store/countries.ts';
import { elsewhere, type TaxQuote, type TaxRate } from '../../../machines/model/buying/tax.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import { money } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { problemText } from '../problem-text.ts';
import { stateAttributes } from '../state-name.ts';

const Lines = chakra('dl', {
  base: {
    m: 0,
    '& > div': { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 6, py: 1 },
    '& dt': { color: 'inkMuted' },
    '& dd': { m: 0, fontVariantNumeric: 'tabular-nums' },
    '& > div:last-child': { mt: 1, pt: 2, borderTop: '1px solid', borderColor: 'line', fontWeight: 600 },
    '& > div:last-child dt': { color: 'ink' },
  },
});

const Line = ({ name, children }: { name: ReactNode; children: ReactNode }): ReactElement => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A rate by the store's name for it, such as “VAT (5.5%)”. */
export const useRateName = (): ((rate: TaxRate) => string) => {
  const { i18n } = useLingui();
  const percent = new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumFractionDigits: 3 });
  return ({ name, percent: rate }) => `${name} (${percent.format(rate / 100)})`;
};

/** Countries by their names in the language that is spoken, as it sorts them. */
const choicesOf = (codes: readonly string[], locale: string) => {
  const regions = new Intl.DisplayNames(locale, { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return codes
    .map((code) => ({ value: code, text: regions.of(code) ?? code }))
    .toSorted((one, other) => compare(one.text, other.text));
};

type Props = { actor: ActorRefFrom<typeof taxMachine> };

/** Where the customer lives, as far as the tax depends on it. */
const PlaceFields = ({ actor }: Props): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { place, quote } = useSelector(actor, (state) => state.context);
  if (quote === null) return null;
  const country = place?.country ?? quote.country ?? '';
  // Those of the country before say nothing of the one that is asked for.
  const regions = quote.country === country ? quote.regions : [];
  return (
    <>
      {quote.countries.length === 1 ? null : (
        <SelectField
          name="country"
          autoComplete="country"
          label={t`Country`}
          hint={t`Tax depends on where you live.`}
          data-event="place.chosen"
          value={country}
          choices={choicesOf(quote.countries.length === 0 ? countryCodes : quote.countries, i18n.locale)}
          onChange={({ target }) => actor.send({ type: 'place.chosen', place: { country: target.value, region: null } })}
        />
      )}
      {regions.length === 0 ? null : (
        <SelectField
          name="region"
          autoComplete="address-level1"
          label={t`State or region`}
          data-event="place.chosen"
          value={(place?.country === country ? place.region : null) ?? quote.region ?? ''}
          choices={[
            ...regions.map(({ code, name }) => ({ value: code, text: name })),
            { value: elsewhere, text: t`Somewhere else` },
          ]}
          onChange={({ target }) => actor.send({ type: 'place.chosen', place: { country, region: target.value } })}
        />
      )}
    </>
  );
};

const Sums = ({ quote, price }: { quote: TaxQuote; price: Price }): ReactElement => {
  const { i18n } = useLingui();
  const rateName = useRateName();
  const amountOf = (amount: number): string => money({ ...price, amount }, i18n.locale);
  return (
    <Lines>
      <Line name={<Trans>Price</Trans>}>{amountOf(quote.price)}</Line>
      {quote.taxRates.map((rate) => (
        <Line key={rate.name} name={rateName(rate)}>
          {amountOf(rate.amount ?? 0)}
        </Line>
      ))}
      {quote.taxRates.length === 0 ? <Line name={<Trans>Tax</Trans>}>{amountOf(quote.taxPrice)}</Line> : null}
      <Line name={<Trans>Total with tax</Trans>}>{amountOf(quote.priceWithTax)}</Line>
    </Lines>
  );
};

const Waiting = (): ReactElement => (
  <chakra.p color="inkMuted" display="flex" alignItems="center" gap={2}>
    <Spinner aria-hidden /> <Trans>Working out the tax…</Trans>
  </chakra.p>
);

/** What it costs with tax where the customer lives, and what has to be said of that first. */
export const TaxLines = ({ actor, price }: Props & { price: Price }): ReactElement | null => {
  const { value, context } = useSelector(actor, (state) => state);
  const { quote, problem } = context;
  if (value === 'none' || value === 'outdated') return null;
  return (
    <chakra.div display="grid" gap={4} {...stateAttributes('tax', value)} aria-busy={value === 'asking'}>
      <PlaceFields actor={actor} />
      <chakra.div aria-live="polite" display="grid" gap={2}>
        {value === 'asking' ? <Waiting /> : null}
        {value === 'quoted' && quote !== null ? <Sums quote={quote} price={price} /> : null}
        {value === 'choosing' ? (
          <chakra.p color="inkMuted">
            {quote?.needs === 'region' ? (
              <Trans>Choose your state or region to see what you’ll pay.</Trans>
            ) : (
              <Trans>Choose your country to see what you’ll pay.</Trans>
            )}
          </chakra.p>
        ) : null}
        {value === 'failed' ? (
          <>
            <p>{problem === null ? null : problemText(problem)}</p>
            <EventButton actor={actor} event={{ type: 'retry.pressed' }} look="outline">
              <Trans>Try again</Trans>
            </EventButton>
          </>
        ) : null}
      </chakra.div>
    </chakra.div>
  );
};
