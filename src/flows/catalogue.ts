export { flow } from '../ports/catalogue.ts';
export { CatalogueView as Screens } from '../views/catalogue/CatalogueView.tsx';
