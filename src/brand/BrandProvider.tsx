import { createContext, use, type ReactElement, type ReactNode } from 'react';
import type { StoreProperties } from '../../machines/model/store.ts';
import { brandOf, type Brand } from './brand.ts';

const BrandContext = createContext<Brand | null>(null);

/** The custom properties that the theme's accent tokens stand on; every value is a colour of our own making. */
const styleSheet = ({ colors }: Brand): string => {
  const lines = Object.entries(colors).map(([name, color]) => `--brand-${name}:${color}`);
  return `:root{${lines.join(';')}}`;
};

/** Hands the store's brand down as data and its colours as custom properties. */
export const BrandProvider = ({ store, children }: { store: StoreProperties; children: ReactNode }): ReactElement => {
  const brand = brandOf(store);
  return (
    <BrandContext value={brand}>
      <style>{styleSheet(brand)}</style>
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
