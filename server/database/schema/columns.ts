import type { ColumnType, Generated } from 'kysely';

/** A JSON column: read as the stored value, written as JSON text, which both drivers accept. */
export type Json<T> = ColumnType<T, string, string>;
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;
/** A timestamp with a default in the database. */
export type Moment = ColumnType<Date, Date | undefined, Date>;
export type { Generated };
