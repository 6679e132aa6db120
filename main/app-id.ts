/**
 * Application id of the desktop app: Windows shows notifications and groups windows only under the id that the
 * installer registered.
 */
export const APP_ID = 'es.sello.desktop'
