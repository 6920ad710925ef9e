import { useLingui } from '@lingui/react/macro';
import { createContext, use, useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import { usualAppearance, type Appearance } from '../../machines/model/store/appearance.ts';
import type { StoreProperties, StoreTheme } from '../../machines/model/store/store.ts';
import { brandOf, groundColors, type Brand } from './brand.ts';

const BrandContext = createContext<Brand | null>(null);

/** The custom properties that the theme's tokens use; no value is text from the store. */
const styleSheet = ({ colors }: Brand, { background }: Appearance): string => {
  const lines = Object.entries({ ...colors, ...groundColors(background) }).map(([name, color]) => `--brand-${name}:${color}`);
  return `:root{color-scheme:${background === 'night' ? 'dark' : 'light'};${lines.join(';')}}`;
};

type BrandProviderProps = { store: StoreProperties; look?: Appearance; theme?: StoreTheme | undefined; children: ReactNode };

/** Names that a store left at their default are translated into the customer's language; a store's own names stay as they are. */
const useTranslatedNames = (): ((text: string) => string) => {
  const { t } = useLingui();
  return useCallback(
    (text) => {
      const usual = new Map([
        ['Titles', t`Titles`],
        ['eBooks', t`eBooks`],
        ['Audio Books', t`Audio Books`],
        ['Video Books', t`Video Books`],
        ['My Catalog', t`My Catalog`],
      ]);
      return usual.get(text) ?? text;
    },
    [t],
  );
};

/** Hands the store's brand down as data and its colours, under the look that was chosen, as custom properties. */
export const BrandProvider = ({ store, look = usualAppearance, theme, children }: BrandProviderProps): ReactElement => {
  const translate = useTranslatedNames();
  // Everything depends on it: a new object would make React render the whole frame again with each screen.
  const brand = useMemo(() => brandOf(store, look, theme, translate), [store, look, theme, translate]);
  return (
    <BrandContext value={brand}>
      <style>{styleSheet(brand, look)}</style>
      {children}
    </BrandContext>
  );
};

/** @throws Error outside a BrandProvider. */
export const useBrand = (): Brand => {
  const brand = use(BrandContext);
  if (brand === null) throw new Error('There is no BrandProvider above.');
  return brand;
};
