import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { taxMachine } from '../../../machines/buying/tax.ts';
import { countryCodes } from '../../../machines/model/store/countries.ts';
import { OTHER_REGION, type TaxQuote, type TaxRate } from '../../../machines/model/buying/tax.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import { formatMoney } from '../../brand/format.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import { formatProblem } from '../problem-text.ts';
import { getStateAttributes } from '../state-name.ts';

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

/**
 * Returns a function for a tax rate's name with the store's word for the tax, such as “VAT (5.5%)”.
 */
export const useRateName = (): ((rate: TaxRate) => string) => {
  const { i18n } = useLingui();
  const percent = new Intl.NumberFormat(i18n.locale, { style: 'percent', maximumFractionDigits: 3 });
  return ({ name, percent: rate }) => `${name} (${percent.format(rate / 100)})`;
};

/** The choices for countries, named and sorted in the current language. */
const getCountryChoices = (codes: readonly string[], locale: string) => {
  const regions = new Intl.DisplayNames(locale, { type: 'region' });
  const { compare } = new Intl.Collator(locale);
  return codes.map((code) => ({ value: code, text: regions.of(code) ?? code })).toSorted((a, b) => compare(a.text, b.text));
};

type Props = { actor: ActorRefFrom<typeof taxMachine> };

/** The fields for the customer's place of residence, as far as the tax depends on it. */
const PlaceFields = ({ actor }: Props): ReactElement | null => {
  const { t, i18n } = useLingui();
  const { place, quote } = useSelector(actor, (state) => state.context);
  if (quote === null) return null;
  const country = place?.country ?? quote.country ?? '';
  // The regions of the previously chosen country do not apply.
  const regions = quote.country === country ? quote.regions : [];
  return (
    <>
      {quote.countries.length === 1 ? null : (
        <SelectField
          name="country"
          autoComplete="country"
          label={t`Country`}
          hint={t`Tax depends on where you live.`}
          data-event="taxLocation.chosen"
          value={country}
          choices={getCountryChoices(quote.countries.length === 0 ? countryCodes : quote.countries, i18n.locale)}
          onChange={({ target }) => actor.send({ type: 'taxLocation.chosen', place: { country: target.value, region: null } })}
        />
      )}
      {regions.length === 0 ? null : (
        <SelectField
          name="region"
          autoComplete="address-level1"
          label={t`State or region`}
          data-event="taxLocation.chosen"
          value={(place?.country === country ? place.region : null) ?? quote.region ?? ''}
          choices={[
            ...regions.map(({ code, name }) => ({ value: code, text: name })),
            { value: OTHER_REGION, text: t`Somewhere else` },
          ]}
          onChange={({ target }) => actor.send({ type: 'taxLocation.chosen', place: { country, region: target.value } })}
        />
      )}
    </>
  );
};

const Sums = ({ quote, price }: { quote: TaxQuote; price: Price }): ReactElement => {
  const { i18n } = useLingui();
  const rateName = useRateName();
  const formatAmount = (amount: number): string => formatMoney({ ...price, amount }, i18n.locale);
  return (
    <Lines>
      <Line name={<Trans>Price</Trans>}>{formatAmount(quote.price)}</Line>
      {quote.taxRates.map((rate) => (
        <Line key={rate.name} name={rateName(rate)}>
          {formatAmount(rate.amount ?? 0)}
        </Line>
      ))}
      {quote.taxRates.length === 0 ? <Line name={<Trans>Tax</Trans>}>{formatAmount(quote.taxPrice)}</Line> : null}
      <Line name={<Trans>Total with tax</Trans>}>{formatAmount(quote.priceWithTax)}</Line>
    </Lines>
  );
};

const Waiting = (): ReactElement => (
  <chakra.p color="inkMuted" display="flex" alignItems="center" gap={2}>
    <Spinner aria-hidden /> <Trans>Working out the tax…</Trans>
  </chakra.p>
);

/** The price with tax at the customer's place, and the fields for that place. */
export const TaxLines = ({ actor, price }: Props & { price: Price }): ReactElement | null => {
  const { value, context } = useSelector(actor, (state) => state);
  const { quote, problem } = context;
  if (value === 'none' || value === 'outdated') return null;
  return (
    <chakra.div display="grid" gap={4} {...getStateAttributes('tax', value)} aria-busy={value === 'asking'}>
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
            <p>{problem === null ? null : formatProblem(problem)}</p>
            <EventButton actor={actor} event={{ type: 'retry.pressed' }} look="outline">
              <Trans>Try again</Trans>
            </EventButton>
          </>
        ) : null}
      </chakra.div>
    </chakra.div>
  );
};
