import { useLingui } from '@lingui/react/macro';
import { createContext, use, useCallback, useMemo, type ReactElement, type ReactNode } from 'react';
import { defaultAppearance, type Appearance } from '../../machines/model/store/appearance.ts';
import type { StoreProperties, StoreTheme } from '../../machines/model/store/store.ts';
import { createBrand, getLayoutColors, type Brand } from './brand.ts';

const BrandContext = createContext<Brand | null>(null);

/**
 * A style sheet with the custom properties that the theme's tokens read; no value is raw text from
 * the store.
 */
const createStyleSheet = ({ colors }: Brand, { background }: Appearance): string => {
  const lines = Object.entries({ ...colors, ...getLayoutColors(background) }).map(([name, color]) => `--brand-${name}:${color}`);
  return `:root{color-scheme:${background === 'night' ? 'dark' : 'light'};${lines.join(';')}}`;
};

type BrandProviderProps = { store: StoreProperties; look?: Appearance; theme?: StoreTheme | undefined; children: ReactNode };

/**
 * Returns a translator of names that a store left at their default; a store's own names stay as
 * they are.
 */
const useTranslatedNames = (): ((text: string) => string) => {
  const { t } = useLingui();
  return useCallback(
    (text) => {
      const defaultNames = new Map([
        ['Titles', t`Titles`],
        ['eBooks', t`eBooks`],
        ['Audio Books', t`Audio Books`],
        ['Video Books', t`Video Books`],
        ['My Catalog', t`My Catalog`],
      ]);
      return defaultNames.get(text) ?? text;
    },
    [t],
  );
};

/** Provides the brand as context data, and its colours in the chosen look as custom properties. */
export const BrandProvider = ({ store, look = defaultAppearance, theme, children }: BrandProviderProps): ReactElement => {
  const translate = useTranslatedNames();
  // Memoised because everything depends on it: a new object would re-render the whole frame with
  // each screen.
  const brand = useMemo(() => createBrand(store, look, theme, translate), [store, look, theme, translate]);
  return (
    <BrandContext value={brand}>
      <style>{createStyleSheet(brand, look)}</style>
      {children}
    </BrandContext>
  );
};

/** The brand of the store. @throws Error outside the App component. */
export const useBrand = (): Brand => {
  const brand = use(BrandContext);
  if (brand === null) throw new Error('useBrand must be called within the App component.');
  return brand;
};
