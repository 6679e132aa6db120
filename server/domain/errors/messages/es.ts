/** Spanish texts of all errors. Programs get `message` in Spanish and `next` in English, so that `next` addresses the user of the window. */
import type { ErrorMessages } from './error-text.ts'

export const spanish: ErrorMessages = {
  malformed_request: {
    message: 'La petición no se entiende.',
    next: 'Vuelve a intentarlo; si se repite, cuéntanos qué hacías.',
  },
  unauthorized: {
    message: 'Falta la clave de API, o no está en vigor.',
    next: 'Ábrela otra vez desde Sello.',
    window: { message: 'Esta ventana ya no tiene permiso.' },
  },
  window_link_spent: {
    message: 'Ese enlace ya se usó o ha caducado.',
    next: 'Escribe el código de bloqueo o el de recuperación, o para Sello y ábrelo otra vez.',
  },
  scope_missing: {
    message: 'La clave no tiene permiso para esto.',
    next: 'Usa otra clave o crea una en Conexiones.',
  },
  host_not_allowed: {
    message: 'La dirección no es la de este Sello.',
    next: 'Ábrela desde Sello.',
  },
  origin_not_allowed: {
    message: 'Otra página no puede hablar con Sello.',
    next: 'Ábrela desde Sello.',
  },
  not_found: {
    message: 'Eso ya no está.',
    next: 'Puede haberse borrado o ser de otro libro. Vuelve a la lista.',
  },
  method_not_allowed: {
    message: 'La petición no es válida.',
    next: 'Vuelve a intentarlo; si se repite, actualiza Sello.',
  },
  version_conflict: {
    message: 'Esto cambió en otro sitio.',
    next: 'Mira los cambios y vuelve a guardar los tuyos.',
  },
  erasure_stale: {
    message: 'Hay algo nuevo de esta persona.',
    next: 'Lo que ves ya está al día. Míralo y vuelve a confirmar.',
  },
  idempotency_in_progress: {
    message: 'La misma petición sigue en marcha.',
    next: 'Espera un segundo y reinténtalo.',
  },
  gone: {
    message: 'Esa dirección ya no existe.',
    next: 'Usa la nueva, que está en Conexiones.',
  },
  payload_too_large: {
    message: 'Es demasiado grande.',
    next: 'Quita algo y vuelve a intentarlo.',
  },
  unsupported_media_type: {
    message: 'El formato no es válido.',
    next: 'Vuelve a intentarlo; si se repite, actualiza Sello.',
  },
  validation_failed: {
    message: 'Hay datos por corregir.',
    next: 'Revisa los campos señalados.',
  },
  idempotency_mismatch: {
    message: 'La petición se repitió con otros datos.',
    next: 'Vuelve a intentarlo.',
  },
  confirmation_required: {
    message: 'Este paso no se puede deshacer y necesita un código de confirmación.',
    next: 'Revisa la factura y confirma.',
    window: { message: 'Falta revisar antes de emitir.' },
  },
  step_for_the_owner: {
    message: 'Eso lo decide quien lleva el negocio.',
    next: 'Propónselo, o pídele que lo haga en Sello.',
  },
  rate_limited: {
    message: 'Demasiadas peticiones seguidas.',
    next: 'Espera unos segundos y reinténtalo.',
  },
  too_busy: {
    message: 'Hay demasiado trabajo a la vez.',
    next: 'Espera unos segundos y reinténtalo.',
  },
  webhook_address_refused: {
    message: 'Los avisos no pueden ir a esa dirección.',
    next: 'Usa una dirección https pública. Una de este equipo o su red solo la permite una persona, al crear el webhook.',
  },
  webhook_limit: {
    message: 'Este libro ya tiene todos los webhooks que puede.',
    next: 'Borra uno que no se use o haz que uno reciba más tipos de eventos.',
  },
  erp_not_connected: {
    message: 'No hay ningún programa de contabilidad conectado.',
    next: 'Conéctalo en Conexiones, Contabilidad.',
  },
  erp_still_connected: {
    message: 'Ese programa sigue conectado.',
    next: 'Desconéctalo primero; después puedes borrar lo que se leyó.',
  },
  erp_key_rejected: {
    message: 'El programa no acepta esta clave.',
    next: 'Haz una clave nueva allí, cópiala entera y pégala aquí.',
  },
  erp_permission_missing: {
    message: 'A la clave le faltan permisos de lectura.',
    next: 'Dale en el programa los que faltan, solo de lectura, y vuelve a probar. Sello no ha guardado nada.',
  },
  erp_plan_required: {
    message: 'Tu plan de ese programa no incluye el acceso por API.',
    next: 'Cambia de plan allí, o trae tus datos con un archivo desde Importar.',
  },
  erp_address_refused: {
    message: 'Sello no se conecta a esa dirección.',
    next: 'Escribe una que empiece por https, sin usuario ni contraseña dentro.',
  },
  erp_account_choice: {
    message: 'La clave abre varias empresas.',
    next: 'Elige de cuál quieres leer.',
  },
  erp_other_account: {
    message: 'La clave parece de otra cuenta.',
    next: 'Di si es la misma o si empiezas con otra.',
  },
  erp_needs_reconnection: {
    message: 'El programa ha dejado de aceptar la clave.',
    next: 'Conéctalo otra vez con una clave nueva. Lo leído sigue aquí.',
  },
  erp_quota_guard: {
    message: 'A este mes no le quedan peticiones bastantes.',
    next: 'Sube el presupuesto del mes, espera al siguiente o lee de todas formas.',
  },
  erp_stand_in_missing: {
    message: 'Un sandbox no llega a ningún programa de verdad.',
    next: 'Conéctalo desde unos libros que no sean de sandbox.',
  },
  erp_rate_limited: {
    message: 'El programa pide ir más despacio.',
    next: 'Espera unos minutos y lee otra vez: sigue donde se quedó.',
  },
  erp_quota_exhausted: {
    message: 'Las peticiones del mes se han agotado en el programa.',
    next: 'Espera al mes que viene o amplía tu plan allí. Lo leído sigue aquí.',
  },
  erp_unavailable: {
    message: 'El programa de contabilidad no contesta.',
    next: 'Prueba dentro de un rato: no se ha perdido nada y sigue donde se quedó.',
  },
  erp_protocol_error: {
    message: 'El programa ha contestado algo que no se entiende.',
    next: 'Prueba más tarde. Si sigue igual, puede que haya cambiado: actualiza Sello.',
  },
  erp_bad_paging: {
    message: 'El programa manda una y otra vez las mismas páginas.',
    next: 'Prueba más tarde; lo leído hasta ahora se guarda.',
  },
  erp_interrupted: {
    message: 'La lectura se interrumpió.',
    next: 'Lee otra vez: durante un día sigue donde se quedó.',
  },
  erp_link_unclear: {
    message: 'No está claro de qué contacto se trata.',
    next: 'Elige tú el contacto con el que se vincula.',
  },
  portal_not_possible: {
    message: 'Ahora no se puede presentar en FACe.',
    next: 'El panel de la factura dice qué falta.',
  },
  portal_already_submitted: {
    message: 'La factura ya está en FACe, o de camino.',
    next: 'Si estaba mal, pide antes su anulación.',
  },
  portal_wrong_state: {
    message: 'La presentación está en un estado en el que eso no se puede hacer.',
    next: 'Vuelve a mirarla: su estado ha cambiado.',
  },
  portal_number_unknown: {
    message: 'FACe no conoce ese número de registro, o es de otro envío.',
    next: 'Cópialo del justificante de FACe.',
  },
  erp_document_unreadable: {
    message: 'Esa factura no puede pasar a ser una de aquí.',
    next: 'Está anulada o le faltan datos. Si la necesitas, escríbela a mano.',
  },
  internal: {
    message: 'Algo ha fallado en Sello.',
    next: 'No es culpa tuya y tus datos están bien. Reinténtalo; si se repite, manda los detalles.',
  },
  disk_low: {
    message: 'El disco está casi lleno y no cabe nada nuevo.',
    next: 'Vacía la papelera o borra lo que no necesites, y reinténtalo. Lo que hay se puede consultar, cambiar y exportar.',
  },
  store_readonly: {
    message: 'Ahora mismo solo se puede leer.',
    next: 'El aviso de arriba dice por qué y qué hacer.',
  },
  file_storage_unavailable: {
    message: 'Ahora mismo no se puede usar el almacén de documentos grandes; no se ha cambiado nada.',
    next: 'Reinténtalo en un momento. Si se repite, avisa a quien lleva tu servidor.',
  },
  stored_file_missing: {
    message: 'El documento no está en el almacén de documentos grandes.',
    next: 'Avisa a quien lleva tu servidor: se puede recuperar una versión anterior.',
  },
  stored_file_damaged: {
    message: 'El documento del almacén no es el que se guardó.',
    next: 'Avisa a quien lleva tu servidor: se puede recuperar una versión anterior.',
  },
  invoice_not_draft: {
    message: 'La factura ya está emitida.',
    next: 'Para corregirla, haz una rectificativa.',
  },
  invoice_invalid: {
    message: 'Todavía no se puede emitir.',
    next: 'Corrige lo señalado y revísala otra vez.',
  },
  invoice_contradicts: {
    message: 'Dos documentos de esta factura no dirían lo mismo: no se ha emitido.',
    next: 'El borrador sigue como estaba y no se ha gastado ningún número. Es un fallo de Sello: avísanos con lo que indica.',
  },
  invoice_number_ambiguous: {
    message: 'Hay más de una factura con ese número.',
    next: 'Ábrela desde la lista.',
  },
  confirmation_invalid: {
    message: 'El código de confirmación no vale para esta factura, este paso y esta clave.',
    next: 'Revísala otra vez.',
    window: { message: 'La revisión no vale para esta factura.' },
  },
  confirmation_expired: {
    message: 'El código de confirmación ha caducado.',
    next: 'Revísala otra vez; dura diez minutos.',
    window: { message: 'La revisión ha caducado.' },
  },
  confirmation_stale: {
    message: 'Algo ha cambiado mientras lo revisabas.',
    next: 'Míralo otra vez.',
  },
  confirmation_used: {
    message: 'Ese código de confirmación ya se ha usado.',
    next: 'Mira la factura: se emitió con ella.',
    window: { message: 'Esa revisión ya se usó.' },
  },
  approval_pending: {
    message: 'Espera tu aprobación.',
    next: 'Decídelo en la Bandeja.',
  },
  approval_denied: {
    message: 'La rechazaste.',
    next: 'Cambia lo que haga falta y revísala otra vez.',
  },
  approval_unavailable: {
    message: 'Nadie puede aprobarla ahora.',
    next: 'Abre Sello y vuelve a pedirlo.',
  },
  notes_full: {
    message: 'Ya no caben más notas o tareas aquí.',
    next: 'Completa o elimina algunas.',
  },
  approvals_full: {
    message: 'Ya hay veinte pasos esperando tu permiso.',
    next: 'Decide algunos en la Bandeja.',
  },
  approval_closed: {
    message: 'Esa petición ya no espera respuesta.',
    next: 'Mira en la Bandeja qué fue de ella.',
  },
  certificate_missing: {
    message: 'Falta el certificado de la empresa.',
    next: 'Impórtalo en Ajustes: la primera emisión en el libro real lo necesita.',
  },
  producer_missing: {
    message: 'Faltan los datos del productor del programa.',
    next: 'Sin ellos no se emite en el libro real; el de pruebas funciona.',
  },
  invoice_not_issued: {
    message: 'Todavía es un borrador.',
    next: 'Cámbialo o bórralo sin más: no hay nada registrado.',
  },
  registry_pending: {
    message: 'La AEAT aún no ha contestado sobre esta factura.',
    next: 'Espera su respuesta, que Sello pide solo, y reinténtalo.',
  },
  restored_copy: {
    message: 'Estos libros son una copia o vienen de otro equipo.',
    next: 'Empieza una instalación nueva en Registro AEAT antes de emitir.',
  },
  series_in_conflict: {
    message: 'Otro programa ha usado números de esta serie.',
    next: 'Decide en Registro AEAT cuál vale, o emite en otra serie.',
  },
  registry_unreachable: {
    message: 'La AEAT no se puede consultar ahora.',
    next: 'Comprueba la conexión y reinténtalo.',
  },
  record_open: {
    message: 'Ese registro todavía espera respuesta.',
    next: 'Cuando la tenga podrás darlo por resuelto.',
  },
  environment_fixed: {
    message: 'El destino ya no se puede cambiar.',
    next: 'Lo fijó la primera factura. Para usar el otro, crea los libros en otra carpeta.',
  },
  nothing_to_export: {
    message: 'Ese año no tiene registros.',
    next: 'Elige otro.',
  },
  certificate_password: {
    message: 'La contraseña no abre el archivo.',
    next: 'Es la que se puso al exportarlo; distingue mayúsculas.',
  },
  certificate_invalid: {
    message: 'El archivo no trae un certificado con su clave privada.',
    next: 'Expórtalo otra vez con la clave privada (.p12 o .pfx) y elige ese.',
  },
  certificate_expired: {
    message: 'El certificado no está en vigor.',
    next: 'Renuévalo con quien lo emitió e importa el nuevo.',
  },
  daily_cap_reached: {
    message: 'La clave ha llegado a su tope de hoy.',
    next: 'Espera a mañana o sube el tope.',
  },
  chain_broken: {
    message: 'La cadena de registros no cuadra.',
    next: 'No se emite nada hasta resolverlo. Abre Registro AEAT.',
  },
  clock_wrong: {
    message: 'El reloj de este equipo no está en hora.',
    next: 'Ponlo en hora, o acepta la diferencia en Registro AEAT. Si ya está en hora y fue adelantado, empieza allí una nueva instalación.',
  },
  series_wrong_kind: {
    message: 'Esa serie es de otra clase de factura.',
    next: 'Elige otra serie.',
  },
  company_exists: {
    message: 'Esa empresa ya está en Sello.',
    next: 'Elígela en el menú de libros.',
  },
  company_archived: {
    message: 'La empresa está archivada: no admite documentos nuevos.',
    next: 'Recupérala en Ajustes, Empresa.',
  },
  company_retained: {
    message: 'La ley todavía obliga a conservar datos de esta empresa.',
    next: 'Archívala hasta entonces: desaparece de todas las listas.',
  },
  territory_not_supported: {
    message: 'Sello todavía no sirve para ese territorio.',
    next: 'El motivo está en details.reason, y el día en que se miró por última vez en details.lookedUpOn. Usa un programa para ese territorio.',
  },
  sii_not_supported: {
    message: 'Con el SII no te hace falta Sello.',
    next: 'Sigue con tu programa del SII.',
  },
  contact_in_use: {
    message: 'Este contacto está en uso.',
    next: 'Tiene borradores o mandatos. Cámbialos antes, o únelo con otro contacto.',
  },
  external_ref_taken: {
    message: 'Otro registro tiene esa referencia externa.',
    next: 'Abre el otro o usa otra referencia.',
  },
  key_name_taken: {
    message: 'Ya hay una clave con ese nombre.',
    next: 'Elige otro.',
  },
  key_too_wide: {
    message: 'Una clave no puede crear otra más amplia.',
    next: 'Pide menos permisos o topes más bajos.',
  },
  proposals_full: {
    message: 'Hay demasiadas propuestas sin decidir.',
    next: 'Decide algunas en la Bandeja.',
  },
  proposal_decided: {
    message: 'Esa propuesta ya está decidida.',
    next: 'La Bandeja dice qué se decidió.',
  },
  proposal_expired: {
    message: 'La propuesta caducó antes de que decidieras.',
    next: 'Si todavía tiene sentido, hazlo tú o deja que la vuelvan a proponer.',
  },
  proposal_changed: {
    message: 'Ha cambiado mientras la mirabas.',
    next: 'Mira lo que dice ahora y decide.',
  },
  store_in_use: {
    message: 'Otro Sello está usando estos datos.',
    next: 'Cierra el otro y reinténtalo.',
  },
  port_taken: {
    message: 'Otro programa usa el puerto de Sello.',
    next: 'Cierra ese programa y abre Sello otra vez.',
  },
  store_missing: {
    message: 'No hay datos en esa carpeta.',
    next: 'Revisa la carpeta.',
  },
  folder_shared: {
    message: 'Esa carpeta está en la red o se sincroniza.',
    next: 'Lleva los datos a un disco de este equipo; las copias sí pueden ir ahí.',
  },
  books_moved: {
    message: 'Estos datos se trasladaron a otro sitio y aquí solo se leen.',
    next: 'Trabaja en el sitio nuevo. Aquí se pueden verificar y exportar.',
  },
  books_arriving: {
    message: 'Estos datos se copiaron aquí y el traslado no ha terminado.',
    next: 'Repite la misma orden: sigue donde se quedó.',
  },
  company_moved: {
    message: 'La empresa se trasladó a otro sitio.',
    next: 'Ábrela en el sitio nuevo.',
  },
  company_moving: {
    message: 'La empresa se está trasladando: se puede leer, pero no cambiar.',
    next: 'Vuelve a intentarlo en unos minutos.',
  },
  company_handed_back: {
    message: 'La empresa se devolvió a su titular: aquí se lee, pero no se cambia.',
    next: 'Se trabaja en el programa de su titular. Si nunca abrió el archivo, la empresa se puede recuperar aquí.',
  },
  company_advised: {
    message: 'Estos son los libros de un cliente: aquí no se emite ni se cambia esto.',
    next: 'Hazlo en la instalación del cliente, o anota solo compras, asientos y cierres.',
  },
  pairing_exists: {
    message: 'Ya hay un acceso de gestoría con esta invitación o en esta empresa.',
    next: 'Termina primero el acceso anterior.',
  },
  pairing_ended: {
    message: 'El acceso entre el cliente y su gestoría terminó.',
    next: 'Si hace falta otra vez, el cliente invita de nuevo.',
  },
  pairing_not_confirmed: {
    message: 'Aún no se ha comparado el código con la otra parte.',
    next: 'Leed el código por teléfono y confírmalo si es el mismo.',
  },
  fingerprint_differs: {
    message: 'El código no coincide.',
    next: 'No envíes nada. Repite la invitación y comprueba por dónde llegó la respuesta.',
  },
  bundle_changes_unsent: {
    message: 'Hay cambios que no se han entregado al cliente.',
    next: 'Guarda el archivo con los cambios y envíalo, o quita la copia sin ellos.',
  },
  bundle_unreadable: {
    message: 'No es un archivo de gestoría de Sello.',
    next: 'Elige el archivo que te ha enviado la otra parte.',
  },
  bundle_torn: {
    message: 'Al archivo le falta el final.',
    next: 'Descárgalo o cópialo otra vez; si sigue igual, pide que te lo envíen de nuevo.',
  },
  bundle_tampered: {
    message: 'El archivo se cambió por el camino o no lo escribió la otra parte.',
    next: 'No lo uses. Pide que te lo envíen de nuevo por otra vía.',
  },
  bundle_foreign: {
    message: 'El archivo es de otra empresa o de otro acceso.',
    next: 'Abre la empresa a la que pertenece, o pide el archivo correcto.',
  },
  bundle_old: {
    message: 'Este archivo ya se leyó, o llegó después otro más reciente.',
    next: 'No hace falta nada: usa el más reciente.',
  },
  bundle_gap: {
    message: 'Faltan cambios anteriores a los de este archivo.',
    next: 'Envía tus libros a la gestoría; su archivo siguiente traerá lo que falta.',
  },
  bundle_newer: {
    message: 'El archivo es de una versión de Sello más reciente.',
    next: 'Actualiza Sello y ábrelo otra vez.',
  },
  bundle_outdated: {
    message: 'Los libros son de una versión de Sello anterior.',
    next: 'Pide al cliente que actualice Sello y envíe los libros otra vez.',
  },
  bundle_change_refused: {
    message: 'La gestoría no puede pedir este cambio.',
    next: 'Recházalo y hazlo tú, si es correcto.',
  },
  bundle_change_waits: {
    message: 'Depende de otro cambio que aún no se ha aceptado.',
    next: 'Acepta antes ese cambio, o rechaza los dos.',
  },
  archive_unreadable: {
    message: 'El archivo no es un archivo de Sello con todo lo de una empresa, o está incompleto.',
    next: 'Elige el ZIP tal como lo guardó Sello; si se descargó a medias, cópialo otra vez. No se ha traído nada.',
  },
  archive_changed: {
    message: 'El archivo no contiene lo que dice su lista: algo se cambió, falta o sobra.',
    next: 'Usa otra copia del ZIP, tal como se descargó. No se ha traído nada.',
  },
  archive_newer: {
    message: 'Una versión más nueva de Sello hizo este archivo.',
    next: 'Actualiza Sello y tráelo otra vez. No se ha traído nada.',
  },
  archive_too_large: {
    message: 'El archivo ocupa más de lo que Sello lee.',
    next: 'Comprueba que es el ZIP que hizo Sello. No se ha traído nada.',
  },
  archive_unsound: {
    message: 'Los libros del archivo no superan la verificación.',
    next: 'Verifica los libros donde se hizo el archivo y haz otro. No se ha traído nada.',
  },
  archive_of_trials: {
    message: 'El archivo es de libros de ensayo, o lo son los que hay aquí, y no se mezclan.',
    next: 'Tráelo a un Sello de la misma clase. No se ha traído nada.',
  },
  archive_entries_taken: {
    message: 'Los asientos del archivo llevan números que ya usan los de otra empresa de aquí.',
    next: 'Tráelo a un Sello sin otras empresas (otra carpeta de datos) o a un despacho. No se ha traído nada.',
  },
  company_here: {
    message: 'La empresa ya está aquí y no se ha sustituido.',
    next: 'Si son restos de un traslado anterior, bórralos con office forget; si no, usa la que hay.',
  },
  company_not_here: {
    message: 'Esa empresa no está aquí.',
    next: 'Revisa el identificador; la lista de empresas muestra las que hay.',
  },
  transfer_refused: {
    message: 'Los datos contienen algo que no cabe en el otro sitio; no se ha escrito nada.',
    next: 'El detalle dice qué y dónde. Corrígelo en el origen y repite la orden.',
  },
  transfer_differs: {
    message: 'La copia no es igual que el original y se ha descartado.',
    next: 'El detalle nombra la primera diferencia. Verifica el original; si está bien, avísanos.',
  },
  store_newer: {
    message: 'Una versión más nueva escribió estos datos.',
    next: 'Actualiza Sello; no se ha cambiado nada.',
  },
  store_damaged: {
    message: 'Los datos no se abren con esta llave.',
    next: 'Revisa la llave o restaura la última copia; no se ha cambiado nada.',
  },
  keychain_locked: {
    message: 'El llavero está cerrado.',
    next: 'Desbloquéalo y reinténtalo, o usa el código de recuperación.',
  },
  recovery_code_missing: {
    message: 'Estos libros no tienen código de recuperación, y una copia portátil no se abre con otra cosa.',
    next: 'Crea el código en Ajustes > Seguridad y haz la copia después.',
  },
  backup_not_made: {
    message: 'La copia no se ha podido hacer y comprobar.',
    next: 'Mira el motivo, por ejemplo un disco lleno, y hazla otra vez.',
  },
  backup_unknown: {
    message: 'Ese archivo no es una copia de Sello.',
    next: 'Elige el archivo que hizo Sello. No se ha cambiado nada.',
  },
  key_change_failed: {
    message: 'No se ha podido cambiar la llave. Los datos y el código de recuperación siguen como estaban.',
    next: 'Mira el motivo, como un disco lleno o un archivo de llave que no se puede escribir, y vuelve a intentarlo.',
  },
  backup_key_unknown: {
    message: 'Nada dice qué llave abre esta copia.',
    next: 'Elígela en la carpeta donde se hizo, junto a su archivo key-….json, o usa una copia portátil.',
  },
  backup_damaged: {
    message: 'La copia no está entera, o alguien la cambió después de hacerla.',
    next: 'Usa otra copia del archivo, o una copia anterior. No se ha cambiado nada.',
  },
  backup_of_other_books: {
    message: 'La copia es de otros libros que los de esta carpeta.',
    next: 'Restáurala en una carpeta vacía, o di que quieres cambiar estos libros por ella: se guardan aparte.',
  },
  restore_elsewhere: {
    message: 'Este Sello no tiene una ventana en la que restaurar.',
    next: 'Ciérralo y restaura por línea de órdenes: sello restore.',
  },
  books_shut: {
    message: 'Los datos están cerrados para restaurar una copia.',
    next: 'Restaura una, o ábrelos otra vez como están.',
  },
  restore_no_room: {
    message: 'No hay sitio en el disco para restaurar la copia junto a los libros.',
    next: 'Haz sitio y restaura otra vez. No se ha cambiado nada.',
  },
  recovery_code_wrong: {
    message: 'Esos grupos no coinciden.',
    next: 'Revísalos: las letras I, L, O y U no aparecen nunca.',
  },
  app_locked: {
    message: 'Sello está bloqueado.',
    next: 'Ábrelo con tu código de bloqueo.',
  },
  lock_code_wrong: {
    message: 'Ese no es el código de bloqueo.',
    next: 'Escríbelo otra vez o usa el código de recuperación.',
  },
  lock_wait: {
    message: 'Demasiados códigos equivocados.',
    next: 'Espera {seconds} s o usa el código de recuperación.',
  },
  identity_needed: {
    message: 'Falta comprobar que eres tú.',
    next: 'Escribe el código de bloqueo. Si aún no tienes, ponlo en Ajustes, Seguridad.',
  },
  lock_not_set: {
    message: 'El bloqueo está apagado.',
    next: 'Actívalo en Ajustes, Seguridad.',
  },
  lock_needs_recovery: {
    message: 'Falta el código de recuperación.',
    next: 'Guárdalo primero: es lo único que abre si olvidas el de bloqueo.',
  },
  sign_in_refused: {
    message: 'No se ha podido entrar.',
    next: 'Comprueba los datos o entra de otra forma.',
  },
  sign_in_step_over: {
    message: 'Este paso ya se ha usado o ha caducado.',
    next: 'Empieza de nuevo.',
  },
  verification_needed: {
    message: 'Esto pide comprobar quién eres.',
    next: 'Compruébalo con tu llave de acceso, o con contraseña y código.',
  },
  verification_impossible: {
    message: 'No tienes llave de acceso ni contraseña con que comprobarlo.',
    next: 'Añade una llave de acceso a tu cuenta.',
  },
  invitation_invalid: {
    message: 'El enlace no vale para esta dirección, ya se ha usado o ha caducado.',
    next: 'Comprueba la dirección o pide otra invitación.',
  },
  sign_in_first: {
    message: 'Ya hay una cuenta con esta dirección.',
    next: 'Entra con ella y acepta allí la invitación.',
  },
  passkeys_full: {
    message: 'La cuenta ya tiene diez llaves de acceso.',
    next: 'Quita una que ya no uses.',
  },
  last_way_in: {
    message: 'No quedaría forma de entrar.',
    next: 'Añade antes otra forma de entrar.',
  },
  code_wrong: {
    message: 'El código no es correcto o ha caducado.',
    next: 'Escribe el que muestra ahora la aplicación.',
  },
  password_missing: {
    message: 'La cuenta no tiene contraseña.',
    next: 'Pon una primero.',
  },
  role_not_given: {
    message: 'Tus funciones no permiten dar ni quitar esta función.',
    next: 'Pídeselo a un titular de la empresa.',
  },
  own_roles: {
    message: 'Nadie cambia sus propias funciones.',
    next: 'Pídeselo a otra persona que gestione el equipo.',
  },
  last_owner: {
    message: 'La empresa se quedaría sin titular.',
    next: 'Nombra antes a otro titular.',
  },
  member_already: {
    message: 'Ya hay alguien del equipo con esta dirección.',
    next: 'Cambia sus funciones.',
  },
  invitations_full: {
    message: 'Hay cincuenta invitaciones abiertas.',
    next: 'Retira alguna o espera a que caduquen.',
  },
  recovery_for_oneself: {
    message: 'Nadie recupera su propia cuenta.',
    next: 'Pídeselo a otro administrador.',
  },
  recovery_under_way: {
    message: 'Ya hay una recuperación en marcha de esta cuenta.',
    next: 'Sigue con ella o espera a que termine.',
  },
  recovery_waits: {
    message: 'Sin un segundo administrador la recuperación espera.',
    next: 'Pide a otro administrador que la confirme, o espera.',
  },
  recovery_link_given: {
    message: 'El enlace ya se ha entregado.',
    next: 'Rechaza esta recuperación y pide otra.',
  },
  second_person_needed: {
    message: 'Hace falta una segunda persona.',
    next: 'Pídeselo a otra persona que pueda hacerlo.',
  },
  second_person_asked: {
    message: 'Esto lo tiene que confirmar una segunda persona; ya está pedido.',
    next: 'Se hará en cuanto otra persona lo confirme.',
  },
  second_person_missing: {
    message: 'Lo tendría que confirmar una segunda persona y no hay nadie más que pueda.',
    next: 'Invita a alguien con esa función o cambia las reglas.',
  },
  second_person_stale: {
    message: 'Ya no es lo que se mostraba.',
    next: 'Míralo otra vez o pídelo de nuevo.',
  },
  directory_unreachable: {
    message: 'El directorio de la empresa no responde.',
    next: 'Inténtalo más tarde o entra de otra forma.',
  },
  directory_not_a_member: {
    message: 'Ningún grupo del directorio da acceso a esta cuenta.',
    next: 'Pídeselo a quien administra la oficina.',
  },
  disk_full: {
    message: 'El disco de tus datos está lleno.',
    next: 'Haz sitio y vuelve a intentarlo. No se ha cambiado nada.',
  },
  command_unknown: {
    message: 'Esa orden no existe.',
    next: 'Mira la ayuda.',
  },
  not_a_build: {
    message: 'Este Sello se ejecuta desde su código fuente: no hay lista de archivos con la que comparar.',
    next: 'Usa la orden de un Sello instalado, o de una compilación terminada.',
  },
  quote_invoiced: {
    message: 'Ya se ha facturado algo de este documento.',
    next: 'Borra antes los borradores hechos de él, o duplícalo.',
  },
  quote_nothing_left: {
    message: 'No queda nada por facturar.',
    next: 'Mira las facturas hechas de él, o duplícalo.',
  },
  recurrence_ended: {
    message: 'A esta factura recurrente no le quedan fechas.',
    next: 'Cambia su última fecha o el número de veces.',
  },
  payment_exceeds_due: {
    message: 'Es más de lo que queda pendiente.',
    next: 'Pon como mucho lo pendiente, o deja el resto a cuenta.',
  },
  payment_ambiguous: {
    message: 'Hay varios cobros que encajan.',
    next: 'Elige cuál de ellos quieres deshacer.',
  },
  payment_in_use: {
    message: 'Otra cosa depende de este movimiento.',
    next: 'Deshaz antes lo que lo usa: la remesa, el movimiento del banco o el saldo a cuenta ya gastado.',
  },
  invoice_cancelled: {
    message: 'La factura está anulada.',
    next: 'No se debe nada de ella. Registra el dinero en otra factura o a cuenta.',
  },
  invoice_uncollectible: {
    message: 'La factura está dada por incobrable.',
    next: 'Deshaz eso primero, en sus cobros, y registra el cobro después.',
  },
  invoice_settled: {
    message: 'No se debe nada de esa factura.',
    next: 'Mírala: está pagada, es un abono o se dio por perdida.',
  },
  invoice_not_late: {
    message: 'La factura todavía no ha vencido.',
    next: 'Espera al día siguiente de su vencimiento o quítala del aviso.',
  },
  creditor_missing: {
    message: 'Falta tu identificador de acreedor y tu cuenta.',
    next: 'Configúralos en Cobros y pagos, Domiciliaciones.',
  },
  mandate_reference_taken: {
    message: 'Otro mandato tiene esa referencia.',
    next: 'Pon otra, o déjala vacía y la hará Sello.',
  },
  mandate_in_use: {
    message: 'Ya se han cobrado recibos con ese mandato.',
    next: 'Anúlalo en vez de borrarlo.',
  },
  remittance_not_prepared: {
    message: 'La remesa ya está ejecutada o descartada.',
    next: 'Vuelve a la lista para ver cómo está.',
  },
  remittance_not_settled: {
    message: 'La remesa no está ejecutada.',
    next: 'Márcala como ejecutada con el día en que lo hizo el banco.',
  },
  remittance_discarded: {
    message: 'La remesa está descartada.',
    next: 'Prepara otra.',
  },
  debit_already_returned: {
    message: 'Ese recibo ya estaba devuelto.',
    next: 'Vuelve a abrir la remesa para ver sus apuntes.',
  },
  invoice_not_in_force: {
    message: 'La factura está anulada.',
    next: 'No hay nada que corregir. Si hace falta, emite otra.',
  },
  invoice_replaced: {
    message: 'Otra factura ocupa el lugar de esta.',
    next: 'Rectifica la nueva.',
  },
  nothing_left_to_rectify: {
    message: 'Esta factura ya está abonada entera.',
    next: 'Mira sus rectificativas: también se pueden rectificar.',
  },
  series_started: {
    message: 'La serie ya ha dado números.',
    next: 'Sigue con ella o añade otra.',
  },
  series_needed: {
    message: 'Es la serie que se usa si no eliges otra.',
    next: 'Pon antes otra como habitual.',
  },
  period_locked: {
    message: 'Ese día está cerrado.',
    next: 'Los libros están cerrados hasta el {lockedUntil}. Usa una fecha desde el {firstOpenDay}, o abre el periodo en Contabilidad.',
  },
  account_unknown: {
    message: 'Esa cuenta no existe.',
    next: 'Elige una del plan de cuentas o añádela.',
  },
  entry_generated: {
    message: 'Este asiento sale de un documento.',
    next: 'Corrige el documento, o escribe otro asiento que lo corrija.',
  },
  account_in_use: {
    message: 'Hay apuntes en esa cuenta.',
    next: 'Déjala fuera de uso en vez de borrarla.',
  },
  year_not_closable: {
    message: 'Ese ejercicio no se puede cerrar ni abrir ahora.',
    next: 'Se cierran por orden, cuando han terminado, y se abren empezando por el último.',
  },
  export_too_large: {
    message: 'Es demasiado para un solo archivo.',
    next: 'Pide un periodo más corto o una sola cuenta; en CSV cabe más.',
  },
  attachment_type: {
    message: 'Esa clase de archivo no se guarda.',
    next: 'Usa un PDF, un XML, una imagen, un texto, un CSV, un XLSX sin macros o un correo.',
  },
  format_unavailable: {
    message: 'Esa factura no puede tenerse en ese formato.',
    next: 'Mira qué le falta; el PDF lo tiene siempre.',
  },
  export_too_many: {
    message: 'Son más documentos de los que caben en un archivo.',
    next: 'Acorta el periodo o añade otro filtro, y expórtalas por partes.',
  },
  export_not_ready: {
    message: 'Los documentos todavía se están preparando.',
    next: 'Espera a que terminen y guarda entonces el archivo.',
  },
  exports_busy: {
    message: 'Ya hay tres exportaciones en marcha.',
    next: 'Espera a que termine alguna o cancélala.',
  },
  bulk_work_full: {
    message: 'Ya tienes varios trabajos sobre empresas en marcha.',
    next: 'Espera a que termine alguno o cancélalo.',
  },
  colleague_unknown: {
    message: 'Esa persona no tiene acceso a esta empresa.',
    next: 'Elige a alguien que lo tenga o invítala antes.',
  },
  logo_unusable: {
    message: 'Esa imagen no sirve de logotipo.',
    next: 'Usa un PNG o un JPEG en RGB o grises, de 16 a 2.000 píxeles de lado.',
  },
  attachment_in_use: {
    message: 'Ese archivo está en uso.',
    next: 'Quítalo antes de donde está adjunto.',
  },
  received_duplicate: {
    message: 'Esa factura ya está anotada.',
    next: 'Mírala; si es otra, di que la anote igualmente.',
  },
  received_void: {
    message: 'La factura recibida está anulada.',
    next: 'Registra el pago en la que la sustituyó.',
  },
  before_these_books: {
    message: 'Viene de un programa anterior: Sello no la hizo y no la cambia.',
    next: 'Deshaz el traslado, corrige el archivo y tráelo otra vez.',
  },
  received_not_void: {
    message: 'Esa factura recibida no está anulada.',
    next: 'No hay nada que recuperar.',
  },
  received_paid: {
    message: 'Tiene pagos.',
    next: 'Quita antes sus pagos.',
  },
  incoming_not_ready: {
    message: 'Nada demuestra algunos datos de ese documento.',
    next: 'Ábrelo y revisa los campos marcados.',
  },
  incoming_decided: {
    message: 'Ese documento ya está anotado o descartado.',
    next: 'Mira su anotación, o recupéralo si se descartó.',
  },
  incoming_not_rejected: {
    message: 'Ese documento no está descartado.',
    next: 'No hay nada que recuperar.',
  },
  incoming_one_file: {
    message: 'Esos documentos no se pueden separar o unir así.',
    next: 'Separa un documento de un archivo con varias páginas; une archivos enteros, 20 y 50 MB como mucho.',
  },
  incoming_rule_missing: {
    message: 'Aún no hay una regla para anotar varios documentos a la vez.',
    next: 'Pon antes la regla.',
  },
  incoming_source_desk_only: {
    message: 'Eso solo se puede en el ordenador que tiene los libros.',
    next: 'Usa un buzón de correo con contraseña.',
  },
  restore_gone: {
    message: 'Eso ya no se puede recuperar.',
    next: 'Lo borrado se guarda un día. Hazlo de nuevo.',
  },
  restore_taken: {
    message: 'No se puede recuperar tal como estaba.',
    next: 'Otra cosa ocupa ya su sitio, o aquello de lo que formaba parte ha cambiado. Hazlo de nuevo.',
  },
  file_unreadable: {
    message: 'El archivo no se puede leer.',
    next: 'Puede estar estropeado, protegido o ser demasiado grande. Escribe los datos a mano: se adjunta igualmente.',
  },
  no_file_layout: {
    message: 'Sello no conoce el diseño del archivo de este modelo para ese ejercicio.',
    next: 'Pasa los importes al formulario de la Agencia; una actualización de Sello traerá el diseño cuando se publique.',
  },
  filed_by_service: {
    message: 'La Agencia ha aceptado esa declaración: aquí no se puede retirar.',
    next: 'Corrígela con una rectificativa o una complementaria.',
  },
  filing_under_way: {
    message: 'Hay una presentación de ese periodo en marcha, o se perdió la respuesta y se está preguntando.',
    next: 'Espera a que la Agencia diga qué ha sido de ella.',
  },
  filing_not_possible: {
    message: 'Este libro no puede presentar ahora esa declaración por sí mismo; `details.why` dice por qué.',
    next: 'Descarga el fichero y súbelo a la sede de la Agencia, o completa lo que falta.',
  },
  exchange_off: {
    message: 'Este libro no usa la plataforma pública de facturas.',
    next: 'Una persona activa el envío en los ajustes de factura electrónica.',
  },
  exchange_live_closed: {
    message:
      'La plataforma real está cerrada: la Agencia no ha publicado lo que hace falta para enviar. `details.assumptions` nombra lo que falta.',
    next: 'Mientras tanto, envía el archivo estructurado por correo y prueba todo en el libro de pruebas.',
  },
  exchange_not_possible: {
    message: 'Eso no se puede hacer ahora con esta factura; `details.why` dice por qué.',
    next: 'Vuelve a leer la factura: lo que se puede decir de ella está en `mayReport`.',
  },
  exchange_file_unreadable: {
    message:
      'El archivo no es una factura, un mensaje de estados ni una respuesta de la plataforma que se pueda leer.',
    next: 'Descárgalo otra vez de la plataforma, en XML, sin cambiar nada.',
  },
  already_filed: {
    message: 'Ese modelo consta como presentado.',
    next: 'Quítale primero la marca; lo que presentaste queda en el historial.',
  },
  hand_on_not_set: {
    message: 'Todavía no se ha dicho cómo se entrega el diario a la asesoría.',
    next: 'Guarda antes el programa, los dígitos de las cuentas y lo que pida la asesoría.',
  },
  hand_on_nothing: {
    message: 'En esos días no hay asientos nuevos ni cambiados que entregar.',
    next: 'Elige otros días, o pide también lo que ya se entregó.',
  },
  hand_on_changed: {
    message: 'Los asientos o las cuentas han cambiado desde que se entregaron.',
    next: 'Entrega otra vez: lo que ha cambiado se propone de nuevo.',
  },
  return_not_filed: {
    message: 'El modelo del trimestre no consta como presentado.',
    next: 'Preséntalo o márcalo como presentado; el asiento usa lo que presentaste.',
  },
  vat_entered: {
    message: 'El IVA de ese trimestre ya está liquidado, o no queda nada que liquidar.',
    next: 'Para hacerlo de nuevo, quita antes el asiento en Contabilidad.',
  },
  vat_entry_differs: {
    message: 'El IVA de la contabilidad no es el del modelo presentado.',
    next: 'Busca la diferencia, o acéptala: se anota lo que dice la contabilidad.',
  },
  books_too_large: {
    message: 'No cabe todo en un archivo.',
    next: 'Pide un trimestre anterior o exporta las facturas por listas.',
  },
  asset_taken: {
    message: 'Esa línea de la factura ya tiene su bien.',
    next: 'Cambia aquel bien.',
  },
  asset_booked: {
    message: 'Hay amortizaciones de este bien ya asentadas.',
    next: 'Deshazlas antes: el precio, las fechas y las cuentas no cambian mientras tanto.',
  },
  asset_disposed: {
    message: 'El bien está dado de baja.',
    next: 'Deshaz antes la baja.',
  },
  asset_not_disposed: {
    message: 'El bien no está dado de baja.',
    next: 'No hay nada que deshacer.',
  },
  depreciation_changed: {
    message: 'Lo que se va a asentar ha cambiado.',
    next: 'Míralo otra vez.',
  },
  bank_account_taken: {
    message: 'Ya tienes una cuenta con ese IBAN o esa cuenta contable.',
    next: 'Usa aquella o elige otra cuenta contable de la 572.',
  },
  bank_account_in_use: {
    message: 'La cuenta tiene movimientos.',
    next: 'Márcala como «sin uso», o deshaz antes sus archivos.',
  },
  bank_import_matched: {
    message: 'Algunos movimientos del archivo ya están identificados.',
    next: 'Deshaz primero esos {matched}.',
  },
  bank_already_matched: {
    message: 'El movimiento ya está identificado.',
    next: 'Deshazlo primero.',
  },
  bank_not_matched: {
    message: 'El movimiento no está identificado.',
    next: 'No hay nada que deshacer.',
  },
  lookup_unavailable: {
    message: 'El servicio consultado no contesta.',
    next: 'Vuelve a intentarlo más tarde; no ha cambiado nada.',
  },
  lookup_refused: {
    message: 'El servicio no ha aceptado la consulta.',
    next: 'Mira los detalles o consúltalo en su propia web.',
  },
  exchange_rate_unknown: {
    message: 'No hay cambio oficial de esa moneda para ese día.',
    next: 'Elige una moneda del Banco Central Europeo y un día de los últimos 90, o escribe el cambio a mano.',
  },
  mail_not_configured: {
    message: 'Falta la cuenta de correo.',
    next: 'Configúrala en Ajustes, Correo, o abre el mensaje en tu programa de correo.',
  },
  mail_not_issued: {
    message: 'Es un borrador.',
    next: 'Emite la factura antes de enviarla.',
  },
  mail_test_recipient: {
    message: 'Un libro de pruebas solo envía a tu propia dirección.',
    next: 'Cambia el destinatario, o trabaja en el libro real.',
  },
  mail_too_large: {
    message: 'Los adjuntos son demasiado grandes para un correo.',
    next: 'Quita alguno o repártelos en varios.',
  },
  reply_code_missing: {
    message: 'En este texto no hay ninguna respuesta.',
    next: 'Pega el correo entero, o el archivo que guardó la página: el código empieza por [svcr1.',
  },
  reply_code_refused: {
    message: 'Ninguna página de respuesta de estos libros pudo hacer esta respuesta.',
    next: 'Pide al cliente que mande el archivo: el código está dañado, es de otros libros o se ha cambiado. Si la página es de antes de traer aquí los libros, guárdala otra vez y mándasela de nuevo.',
  },
  mail_not_open: {
    message: 'El correo ya ha salido.',
    next: 'Mira en qué ha quedado; ya no se puede cambiar.',
  },
  merge_superseded: {
    message: 'Esa unión ya no se puede deshacer.',
    next: 'Si después lo uniste con otro, deshaz antes esa unión.',
  },
  import_state: {
    message: 'Esta importación no está en ese punto.',
    next: 'Abre Importar: verás en qué quedó y cómo seguir.',
  },
  moving_state: {
    message: 'El traslado no está en ese punto.',
    next: 'Abre Traer tu historia: verás en qué quedó y cómo seguir.',
  },
  moving_in_use: {
    message: 'Hay documentos del traslado que ya se usan en estos libros.',
    next: 'Deshaz antes los cobros, recordatorios y remesas que se indican, y vuelve a deshacer el traslado.',
  },
  moving_file_reading: {
    message: 'Un archivo del traslado se está leyendo, o su lectura se interrumpió.',
    next: 'Espera a que termine, vuelve a añadirlo o quítalo del traslado.',
  },
  moving_unproven: {
    message:
      'Hay declaraciones que no coinciden con lo presentado, o de las que nadie ha dicho qué se presentó.',
    next: 'Escribe lo presentado, explica la diferencia o deja esa declaración sin comprobar.',
  },
  office_not_migrated: {
    message: 'La base de datos de la oficina no tiene el esquema de este programa.',
    next: 'Ejecuta «sello office migrate» una vez con esta versión.',
  },
  office_servers_older: {
    message: 'Hay servidores de una versión anterior que no podrían seguir con el esquema nuevo.',
    next: 'Cámbialos antes por la versión intermedia, o páralos y espera un minuto.',
  },
  office_key_wrong: {
    message: 'La llave maestra no es la que cifra los secretos de esta base de datos.',
    next: 'Indica el archivo con la llave correcta; no se ha cambiado nada.',
  },
  office_database_refused: {
    message: 'La base de datos rechazó la conexión.',
    next: 'Revisa la dirección, el usuario y el certificado.',
  },
  office_role_unfit: {
    message: 'El rol de los servidores no existe en la base de datos, o puede más que ellos.',
    next: 'Créalo como administrador con «create role sello_server login password …», o indica otro con --servers-role.',
  },
  office_server_ending: {
    message: 'Este servidor de la oficina se está parando.',
    next: 'Vuelve a intentarlo: responde otro servidor.',
  },
}
