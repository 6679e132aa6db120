/** Texts of start-up faults, with their ways out, and of faults while Sello runs. */
import { spanish } from '../../../server/domain/errors/messages/es.ts'
import { titleOf } from '../window-errors.ts'

export const recover = {
  trouble: {
    otherLanguage: 'English',
    still: 'Sigue igual.',
    reportSaved: 'Informe descargado: lleva datos del equipo y del fallo, nada de tus facturas.',
    hasCode: 'El código de recuperación también abre tus datos.',
    noCode: 'No hay ningún código de recuperación guardado para estos datos.',
    way: {
      retry: 'Reintentar',
      open: 'Abrir los datos como están',
      read: 'Abrir solo para leer',
      create: 'Crear aquí libros nuevos',
      code: 'Usar el código de recuperación',
      folder: 'Elegir otra carpeta',
      restore: 'Restaurar una copia',
      other: 'Ir al Sello abierto',
      report: 'Descargar informe para soporte',
      quit: 'Cerrar Sello',
    },
    detail: {
      folder: 'Carpeta',
      file: 'Archivo',
      process: 'Proceso',
      free: 'Espacio libre',
    },
    kind: {
      keychain_locked: {
        title: 'El llavero está cerrado',
        text: 'La llave que abre tus datos está en el llavero de este equipo, y el llavero no responde o está bloqueado. Desbloquéalo con la contraseña de tu sesión y reinténtalo.',
        safe: 'Tus datos están bien: solo falta la llave para abrirlos.',
      },
      key_elsewhere: {
        title: 'Estos datos vienen de otro equipo',
        text: 'El llavero de este equipo funciona, pero no tiene la llave de estos datos: se quedó en el equipo o en la cuenta de usuario donde se crearon.',
        safe: 'Tus datos están bien. Si los sigues usando en el otro equipo, no emitas en los dos: al entrar te decimos qué hacer.',
      },
      key_missing: {
        title: 'Falta la llave de tus datos',
        text: 'El archivo con la llave no está donde debería ({file}). Devuélvelo a su sitio y reinténtalo.',
        safe: 'Tus datos están bien: solo falta la llave para abrirlos.',
      },
      key_wrong: {
        title: 'Esa llave no es la de estos datos',
        text: 'La llave encontrada ({file}) no abre estos datos: puede ser de otros o estar estropeada. Pon la buena y reinténtalo.',
        safe: 'Tus datos están bien, y esa llave no se borra.',
      },
      store_in_use: {
        title: 'Sello ya está abierto',
        text: 'Otra ventana o programa de este equipo está usando estos datos (proceso {pid}). Sigue en ella, o ciérrala y reinténtalo.',
        safe: 'Tus datos están bien: no se abren dos veces para que no se pisen.',
      },
      port_taken: {
        title: 'Otro programa usa el puerto de Sello',
        text: 'Tus programas y asistentes conocen Sello en el puerto {port}, y ahora responde otro programa ahí: le enviarían su clave. Cierra ese programa y abre Sello otra vez. Si prefieres otro puerto, ábrelo con --port y cambia la dirección en cada programa y asistente.',
        safe: 'Tus datos están bien. Sello no se abre en otro puerto para que ninguna clave llegue a quien no debe.',
      },
      disk_full: {
        title: 'El disco está lleno',
        text: 'Sello necesita algo de sitio para abrir tus datos y no lo hay. Vacía la papelera o borra lo que no necesites, y reinténtalo.',
        safe: 'Tus datos están bien y no se ha perdido nada.',
      },
      folder_readonly: {
        title: 'No se puede escribir en la carpeta',
        text: 'El sistema no deja escribir en {folder}. Revisa sus permisos, o si el disco está protegido o mal desconectado, y reinténtalo. Si solo quieres consultarlos o exportarlos, ábrelos para leer: no se guarda, emite ni envía nada.',
        safe: 'Tus datos están bien y no se ha cambiado nada.',
      },
      folder_missing: {
        title: 'No encuentro la carpeta de tus datos',
        text: 'Sello se abrió para usar {folder}, y esa carpeta no existe. Si está en un disco externo, conéctalo y reinténtalo. Si es la primera vez que la usas, crea aquí libros nuevos.',
        safe: 'Sello no ha creado ni cambiado nada.',
      },
      folder_unusable: {
        title: 'Esa carpeta no se puede usar',
        text: '{folder} no es una carpeta o no se llega a ella. Si está en un disco externo, conéctalo y reinténtalo.',
        safe: 'Sello no ha tocado nada.',
      },
      folder_shared: {
        title: 'La carpeta se comparte con otros equipos',
        text: '{folder} se comparte a través de {by}. Si dos equipos escriben en tus datos, o se copian a medio escribir, se estropean. Lleva la carpeta a un disco de este equipo y elígela aquí; en la compartida guarda solo las copias.',
        safe: 'Sello no ha abierto ni cambiado nada en ella.',
      },
      store_missing: {
        title: 'Faltan los datos en esta carpeta',
        text: 'En {folder} hay restos de Sello (la ficha de la llave), pero no el archivo de los datos. ¿Lo has movido, o está en otra carpeta o en un disco sin conectar?',
        safe: 'Sello no crea datos nuevos encima ni borra lo que hay: devuelve el archivo sello.db a su sitio o ponlo desde una copia.',
      },
      store_damaged: {
        title: 'Los datos están dañados',
        text: 'El archivo {file} no se puede leer. Suele pasar por un fallo del disco o una copia a medias. Sello no lo abre para no empeorarlo.',
        safe: 'No se ha cambiado nada. Guarda una copia de la carpeta tal como está; puedes restaurar una copia de las que hay, o tu archivo portátil.',
      },
      store_newer: {
        title: 'Estos datos son de un Sello más nuevo',
        text: 'Los guardó una versión posterior (formato {store}; esta conoce hasta el {known}). Actualiza Sello en este equipo y vuelve a abrirlo.',
        safe: 'Tus datos están bien y no se ha cambiado nada.',
      },
      shut_to_restore: {
        title: 'Restaurar una copia',
        text: 'Los datos están cerrados para poner una copia en su sitio. Mientras tanto no se emite ni se envía nada.',
        safe: 'Tus datos están bien: lo de ahora se guarda aparte, elijas lo que elijas.',
      },
      start_failed: {
        title: 'Sello no puede abrir tus datos',
        text: 'Ha fallado algo que no esperábamos. Reinténtalo; si se repite, descarga el informe y envíalo a soporte.',
        safe: 'No se ha cambiado nada en tus datos.',
      },
    },
    code: {
      title: 'Código de recuperación',
      text: 'Los siete grupos que guardaste al empezar. Da igual si escribes mayúsculas o minúsculas, y puedes pegarlo entero.',
      wrongGroup: 'El grupo {number} tiene una letra que no aparece nunca.',
      shortGroup: 'Falta completar el grupo {number}.',
      keepTitle: 'Después, la llave',
      keep: {
        once: {
          name: 'No guardarla',
          text: 'Abre los datos solo esta vez. La próxima, si el problema sigue, se vuelve a pedir el código.',
        },
        keychain: {
          name: 'Guardarla en el llavero de este equipo',
          text: 'Es su sitio: la protege la contraseña de tu sesión.',
        },
        file: {
          name: 'Guardarla en un archivo junto a los datos',
          text: 'Se abre sin preguntar, pero quien copie la carpeta se lleva también la llave.',
        },
        external: {
          name: 'Guardarla en el archivo indicado al arrancar',
          text: 'Si ya hay otro archivo con ese nombre, se conserva con otro.',
        },
      },
      open: 'Abrir mis datos',
    },
    folder: {
      title: 'Otra carpeta',
      text: 'Escribe o pega la carpeta donde están tus datos: la que tiene el archivo sello.db.',
      example: '/home/ana/sello',
      hint: 'Vale solo para esta vez: la próxima, Sello mira otra vez en la de siempre.',
      open: 'Abrir esta carpeta',
    },
    restore: {
      title: 'Qué copia',
      text: 'Sello la abre aparte, comprueba que está entera y la pone en el sitio de tus datos.',
      file: 'Un archivo de copia portátil',
      fileHint: 'El que descargaste en Ajustes > Copias de seguridad; acaba en .sellobak.',
      choose: 'Archivo',
      noFile: 'Elige el archivo.',
      noCode: 'Escribe el código: sin él este archivo no se abre.',
      codeNeeded: 'El que tenías al hacer la copia. Da igual cómo lo escribas.',
      codeMaybe: 'Solo si este equipo ya no tiene la llave de tus datos.',
      replaceOther: 'Poner estos libros en el sitio de los otros, que se guardan aparte.',
      kept: 'Lo que hay ahora en la carpeta no se borra: se guarda aparte, en «replaced-…».',
      yes: 'Restaurar y abrir',
      busy: 'Comprobando la copia…',
    },
    opened: {
      title: 'Tus datos están abiertos',
      text: 'Si este equipo sustituye al anterior, entra y sigue. Si el otro va a seguir emitiendo, o emitió algo después de copiar los datos, ve antes a [registryPage] y empieza una instalación nueva: así ningún número se da dos veces.',
      enter: 'Entrar en Sello',
      registry: 'Ir a [registryPage]',
    },
    quit: {
      title: 'Sello se ha cerrado',
      text: 'Ya puedes cerrar esta pestaña.',
    },
    server: {
      why: 'Ver por qué',
      gone: {
        title: 'Sello no responde',
        text: 'Lo que escribes sigue aquí y se guarda en cuanto vuelva. Lo seguimos intentando; si lo cerraste, ábrelo otra vez.',
      },
      replaced: {
        title: 'Sello se ha vuelto a abrir en otra ventana',
        text: 'Esta pestaña ya no está conectada. Copia lo que no se haya guardado y sigue en la nueva.',
      },
      shut: {
        title: 'Sello ha vuelto, pero no puede abrir tus datos',
        text: 'Copia lo que no se haya guardado antes de mirar por qué.',
      },
    },
    store: {
      check: 'Comprobar ahora',
      mended: 'Ya se puede guardar otra vez',
      still: 'Todavía no se puede escribir',
      full: {
        title: 'Disco lleno: ahora solo se puede leer',
        text: 'Puedes consultar y exportar. Vacía la papelera o borra lo que no necesites; lo que tienes a medias se guarda después.',
      },
      readonly: {
        title: 'No se puede escribir: ahora solo se puede leer',
        text: 'Puedes consultar y exportar. Revisa los permisos de la carpeta o si el disco está protegido; lo que tienes a medias se guarda después.',
      },
      reading: {
        title: 'Abierto solo para leer',
        text: 'Puedes consultar y exportar; nada se guarda, se emite ni se envía. Para seguir trabajando, copia la carpeta a un disco en el que se pueda escribir y abre Sello con ella.',
      },
      failing: {
        title: 'El disco falla: ahora solo se puede leer',
        text: 'Puedes consultar y exportar. Revisa el disco; antes de volver a escribir se comprueba que los datos están enteros.',
      },
    },
    room: {
      still: 'Sigue quedando poco sitio',
      enough: 'Ya hay sitio de sobra',
      told: {
        title: 'Queda poco sitio en el disco',
        text: 'Menos de 500 MB. Vacía la papelera o borra lo que no necesites antes de que Sello tenga que parar.',
      },
      no_new: {
        title: 'El disco está casi lleno: no se añade nada nuevo',
        text: 'Quedan menos de 100 MB. Se puede emitir, cobrar y cambiar lo que hay; borradores, importaciones y archivos nuevos esperan a que hagas sitio.',
      },
      no_issue: {
        title: 'El disco está casi lleno: no se emite nada',
        text: 'Quedan menos de 50 MB. Se puede consultar, exportar y cambiar lo que hay. Vacía la papelera o borra lo que no necesites.',
      },
    },
    clock: {
      title: titleOf(spanish.clock_wrong),
      text: 'No se emite nada hasta ajustarlo. Los borradores y todo lo demás siguen.',
      act: 'Ajustar el reloj',
    },
  },
}
